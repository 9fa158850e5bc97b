// `/` leads to the search: that of a list where the page has one, else that over everything.
(() => {
  "use strict";
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("textarea, select, [contenteditable], input:not([type=checkbox])")) return;
    const fields = [document.querySelector("main #query"), document.getElementById("find")];
    const field = fields.find((one) => one?.checkVisibility());
    event.preventDefault();
    if (field) {
      field.focus();
      field.select();
    } else location.assign("/search"); // it is in the menu, where that is narrow
  });
})();
