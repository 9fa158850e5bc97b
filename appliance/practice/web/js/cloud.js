// The cloud behind the console: its schema, and its REST API.

/** The product data in the session's language; filled by `loadSchema`. */
export const schema = {};

/** A text of the shell. */
export const t = (key, values = {}) =>
  Object.entries(values).reduce((said, [name, value]) => said.replaceAll(`{${name}}`, value), schema.console.texts[key]);

export class Refusal extends Error {
  constructor(problem) {
    super(problem.detail);
    this.code = problem.code;
    this.fields = problem.errors ?? {};
  }
}

/** Call the API; the JSON answer, or a `Refusal`. */
export async function call(method, path, body) {
  const headers = { "x-practice-console": "1" };
  if (body !== undefined) headers["content-type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Refusal({ detail: t("network_error"), code: "NetworkError" });
  }
  if (response.status === 401) {
    location.assign("/login");
    return new Promise(() => {});
  }
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Refusal(answer);
  return answer;
}

export async function loadSchema() {
  Object.assign(schema, await call("GET", "/ui/schema"));
}

/** A resource with its service and kind. */
export function resourceOf(kind) {
  for (const [service, product] of Object.entries(schema.products))
    if (product.resources[kind]) return describe(service, kind);
  return null;
}

/** The resource that an address names. */
export function resourceAt(service, collection) {
  const resources = schema.products[service]?.resources ?? {};
  const kind = Object.keys(resources).find((key) => resources[key].collection === collection);
  return kind ? describe(service, kind) : null;
}

function describe(service, kind) {
  const resource = schema.products[service].resources[kind];
  return { ...resource, service, kind, path: `/api/${service}/${resource.collection}`, page: `/console/${service}/${resource.collection}` };
}

/** The fields of a list of names that are shown at all. */
export const shownFields = (resource, names) =>
  names.filter((name) => !resource.fields[name]?.is_hidden);

/** What the column or field is called. */
export const labelOf = (resource, name) => resource.fields[name]?.label ?? t(name);
