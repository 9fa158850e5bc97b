// Copies a command that stands before a button, or what a link leads to: `data-copy` is its address,
// else the link's own. `data-done` is said then. Browsers let pages at the clipboard on this machine
// and over HTTPS: elsewhere there is no button, and the link is followed.
(() => {
  "use strict";
  const say = (element, label) => {
    element.setAttribute("aria-live", "polite");
    element.textContent = element.dataset.done;
    setTimeout(() => { element.textContent = label; }, 2500);
  };
  const read = async (address) => {
    const answer = await fetch(address, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.text();
  };

  for (const button of navigator.clipboard ? document.querySelectorAll("button[data-copy]") : []) {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.previousElementSibling.textContent);
      say(button, label);
    });
  }
  for (const link of document.querySelectorAll("a[data-copy]")) {
    const label = link.textContent;
    link.addEventListener("click", async (event) => {
      event.preventDefault();
      try {
        // Told of the click at once: the text may come after browsers have forgotten it.
        const text = read(link.dataset.copy || link.href).then((t) => new Blob([t], { type: "text/plain" }));
        await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
      } catch {
        location.assign(link.href);
        return;
      }
      say(link, label);
    });
  }
})();
