// Optimistic lists: what the rows look like before the cloud has answered.

/** Rows that are taken for deleted or changed; `changed` is called when that is to be seen. */
export class Guess {
  constructor(changed) {
    this.gone = new Set();
    this.edited = new Map();
    this.hooks = {
      before: (items, values) => {
        items.forEach(({ id }) => (values ? this.edited.set(id, values) : this.gone.add(id)));
        changed();
      },
      undo: (items) => {
        items.forEach(({ id }) => { this.edited.delete(id); this.gone.delete(id); });
        changed();
      },
    };
  }
  /** The rows as the reader is to see them. */
  applied(items) {
    return items.filter(({ id }) => !this.gone.has(id)).map((item) => {
      const edited = this.edited.get(item.id);
      return edited ? { ...item, name: edited.name ?? item.name, values: { ...item.values, ...edited } } : item;
    });
  }
  /** The cloud has answered: what it says of edited rows holds. A deleted row stays away while its end settles. */
  settle() {
    this.edited.clear();
  }
}
