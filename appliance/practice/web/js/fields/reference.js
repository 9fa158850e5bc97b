// References: the options of a choice are the items of another resource.
import { call, nameOf, resourceOf } from "../cloud.js";

const MOST = 200;

/** How to load the options of a control; loads anew when the field that it depends on changes. */
export function fromItems(spec, start, control, ask) {
  const other = resourceOf(spec.refers_to);
  let latest = 0;
  async function load(chosen, parent) {
    const mine = ++latest;
    const around = parent ? parent.value() : "";
    const isBlocked = Boolean(parent && !around);
    if (isBlocked) control.fillWith([], chosen);
    else {
      const filter = parent ? { [spec.within]: around } : {};
      const { items } = await call("GET", `${other.path}?${new URLSearchParams({ per_page: MOST, sort: "name", ...filter })}`);
      if (mine !== latest) return;
      control.fillWith(items.map((item) => ({ value: item.id, label: nameOf(item) })), chosen);
    }
    control.setDisabled?.(isBlocked);
  }
  return async () => {
    const parent = spec.within ? ask(spec.within) : null;
    let around = parent?.value();
    await load(start, parent);
    parent?.onchange(() => {
      if (parent.value() === around) return;
      around = parent.value();
      load(Array.isArray(start) ? [] : "", parent);
    });
  };
}
