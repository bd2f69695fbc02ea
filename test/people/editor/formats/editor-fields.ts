import type { EditorField } from '#people/editor/formats/field.ts'

/** Short field tables of an editor, with every kind of field. */

const AT = field('at', 'hidden')
const SOURCE = field('source', 'hidden')

const THEME: EditorField = {
  name: 'theme',
  widget: 'object',
  fields: [field('logo', 'file'), field('accent', 'color'), field('ground'), field('corners', 'select')],
}

export const COLOR_FIELDS: readonly EditorField[] = [
  {
    name: 'items',
    widget: 'list',
    fields: [
      field('name'),
      field('id'),
      field('hex', 'color'),
      field('rgb'),
      field('cmyk'),
      field('ral'),
      field('use', 'text'),
      field('on', 'list'),
      field('proportion', 'number'),
      field('dark', 'boolean'),
      { name: 'features', widget: 'keyvalue' },
      THEME,
      AT,
    ],
  },
  SOURCE,
]

export const FILE_FIELDS: readonly EditorField[] = [
  {
    name: 'items',
    widget: 'list',
    fields: [
      field('path'),
      field('title'),
      field('description', 'text'),
      field('ground'),
      { name: 'medium', widget: 'select', multiple: true, options: ['screen', 'print'] },
      AT,
    ],
  },
  { name: 'folders', widget: 'list', fields: [field('path'), field('title'), field('order'), AT] },
  SOURCE,
]

export const PROJECT_FIELDS: readonly EditorField[] = [
  field('name'),
  field('description', 'text'),
  field('visibility', 'select'),
  field('edit', 'boolean'),
  field('pages', 'list'),
  THEME,
  { name: 'footer', widget: 'list', fields: [field('name'), field('url'), AT] },
  SOURCE,
]

export const PAGE_FIELDS: readonly EditorField[] = [
  field('title'),
  field('description', 'text'),
  field('order'),
  field('cover'),
  field('wide', 'boolean'),
  field('aliases', 'list'),
  field('body', 'markdown'),
  SOURCE,
]

function field(name: string, widget = 'string'): EditorField {
  return { name, widget }
}
