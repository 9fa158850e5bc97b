// Addresses of the console, from wherever no page hands down `navigate`.

/** Go to an address of the console; the page in charge hears of it as of the back button. */
export function goTo(address) {
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** The address of the page where a resource is created, with some fields filled in. */
export function createAddress(resource, given = {}) {
  const query = new URLSearchParams(given).toString();
  return `${resource.page}/create${query && `?${query}`}`;
}

/** The values that the address fills into a resource's form. */
export const givenByAddress = (resource) =>
  Object.fromEntries([...new URLSearchParams(location.search)].filter(([name]) => name in resource.fields));
