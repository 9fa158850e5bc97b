// <practice-stepper min max value label less more>: a number between two buttons, in an open shadow root.

const STYLE = `
  :host { display: inline-flex; border-radius: var(--radius); }
  button, input { box-sizing: border-box; height: 34px; font: inherit; color: inherit; background: var(--paper); border: 1px solid #c6cedb; }
  button { width: 36px; padding: 0; font-size: 18px; line-height: 1; cursor: pointer; }
  button:hover:not(:disabled) { background: #f2f5fa; }
  button:disabled { color: #b3bcc9; background: #eef1f5; cursor: not-allowed; }
  button:first-of-type { border-radius: var(--radius) 0 0 var(--radius); }
  button:last-of-type { border-radius: 0 var(--radius) var(--radius) 0; }
  input { width: 84px; margin: 0 -1px; text-align: center; }
  input:focus, button:focus-visible { position: relative; border-color: var(--accent); outline: 3px solid #d5e0fd; }
  :host([aria-invalid]) input { border-color: var(--bad); }
`;

class PracticeStepper extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    const style = document.createElement("style");
    style.textContent = STYLE;
    this.less = this.button("less", "−", -1);
    this.more = this.button("more", "+", 1);
    this.input = document.createElement("input");
    for (const [name, value] of Object.entries({ type: "text", role: "spinbutton", inputmode: "numeric", autocomplete: "off", "aria-label": this.getAttribute("label") }))
      this.input.setAttribute(name, value);
    this.input.value = this.getAttribute("value");
    this.input.addEventListener("input", () => this.draw());
    this.input.addEventListener("change", () => this.tell());
    this.input.addEventListener("keydown", (event) => {
      const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.turn(step);
    });
    root.append(style, this.less, this.input, this.more);
    this.draw();
  }
  button(name, sign, step) {
    const element = document.createElement("button");
    element.type = "button";
    element.setAttribute("aria-label", this.getAttribute(name));
    element.append(sign);
    element.addEventListener("click", () => this.turn(step));
    return element;
  }
  get least() { return Number(this.getAttribute("min")); }
  get most() { return Number(this.getAttribute("max")); }
  /** What stands there; NaN for what is no number, null for nothing. */
  get number() {
    const text = this.input ? this.input.value.trim() : this.getAttribute("value");
    return text === "" ? null : Number(text);
  }
  turn(step) {
    const from = Number.isFinite(this.number) ? this.number : this.least;
    this.input.value = String(Math.max(this.least, Math.min(this.most, from + step)));
    this.draw();
    this.tell();
  }
  draw() {
    const { number } = this;
    this.less.disabled = number !== null && number <= this.least;
    this.more.disabled = number !== null && number >= this.most;
    this.input.setAttribute("aria-valuenow", String(number));
    this.input.setAttribute("aria-valuemin", String(this.least));
    this.input.setAttribute("aria-valuemax", String(this.most));
  }
  /** `change` events of the inside stay inside: the host has its own. */
  tell() {
    this.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

customElements.define("practice-stepper", PracticeStepper);
