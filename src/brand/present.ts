/** An object without those of its fields that are undefined: what is not given is absent, never undefined. */
export function present<Fields extends object>(fields: Fields): Present<Fields>
export function present(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> }
