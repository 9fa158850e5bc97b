// Copies a command. Browsers allow it on this machine and over HTTPS; elsewhere it can be marked.
"use strict";
for (const button of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent);
    button.textContent = button.dataset.copy;
  });
}
