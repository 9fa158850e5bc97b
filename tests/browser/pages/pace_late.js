document.getElementById('place').innerHTML = '<button>done</button>';
