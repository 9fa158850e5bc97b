// Copies what a link leads to: `data-copy` is its address, else the link's own; `data-done` is said
// then. Where the browser does not let it (a page that came without TLS), the link is followed.
(() => {
  "use strict";
  const read = async (address) => {
    const answer = await fetch(address, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.text();
  };

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
      link.textContent = link.dataset.done;
      link.setAttribute("role", "status");
      setTimeout(() => { link.textContent = label; link.removeAttribute("role"); }, 2500);
    });
  }
})();
