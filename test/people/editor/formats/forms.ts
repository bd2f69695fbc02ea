import type { Format, FormValues } from '#people/editor/formats/field.ts'

/** The text of a file after one of its forms was changed. */
export function save(format: Format, text: string, change: (form: FormValues) => FormValues): string {
  return format.toFile(change(format.fromFile(text)))
}

/** The entries of a list of a form. */
export function entriesOf(form: FormValues, name = 'items'): FormValues[] {
  const list = form[name]
  return Array.isArray(list) ? list.map(entry => ({ ...entry })) : []
}

/** A change of the entries of a list. */
export function changeEntries(change: (entries: FormValues[]) => FormValues[], name = 'items') {
  return (form: FormValues): FormValues => ({ ...form, [name]: change(entriesOf(form, name)) })
}
