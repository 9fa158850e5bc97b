// The cloud behind the console: its schema, and its REST API.

/** The product data in the session's language; filled by `loadSchema`. */
export const schema = {};

/** Who calls: the console by its cookie, an embedded frame by a token; and what is done when the session has ended. */
const session = { token: "", region: "", expired: () => location.assign("/login") };

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

/** Change what calls are made with: `token`, `region`, `expired`. */
export const configure = (values) => Object.assign(session, values);

/** Where the account looks at the moment. */
export const currentRegion = () => schema.console.regions.find(({ id }) => id === session.region) ?? schema.console.regions[0];

function headersOf(body) {
  const headers = { "x-practice-console": "1" };
  if (session.token) headers.authorization = `Bearer ${session.token}`;
  if (session.region) headers["x-practice-region"] = session.region;
  if (body !== undefined) headers["content-type"] = "application/json";
  return headers;
}

/** Call the API; the JSON answer, or a `Refusal`. */
export async function call(method, path, body) {
  let response;
  try {
    response = await fetch(path, { method, headers: headersOf(body), body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Refusal({ detail: t("network_error"), code: "NetworkError" });
  }
  if (response.status === 401) {
    session.expired();
    return new Promise(() => {});
  }
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Refusal(answer);
  return answer;
}

export async function loadSchema(address = "/ui/schema") {
  Object.assign(schema, await call("GET", address));
  session.region ||= schema.region ?? "";
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

/** What an item is called where it has no name of its own. */
export const nameOf = (item) => item.name || item.values.name || item.id;
