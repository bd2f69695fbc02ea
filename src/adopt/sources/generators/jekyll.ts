import { field, isObject } from '#platform/base/object.ts'
import { globRules, type Hiding } from '../ignore-rules.ts'
import { found, type Settings } from '../settings.ts'

/** What `exclude`, `collections` and `defaults` of Jekyll keep off the site; `include` takes back. */
export function jekyllHides(settings: Settings): Hiding[] {
  const { base, data, path } = settings
  const because = (key: string) => `not published: "${key}" in ${path}`
  const taken = settings.texts('include').map(glob => `!${glob}`)
  const folder = settings.text(['collections_dir'])
  const collections = field(data, 'collections')
  const named = Array.isArray(collections) ? collections.map(name => [String(name), {}] as const) : []
  const all = isObject(collections) ? Object.entries(collections) : named
  const hidden = all.filter(([, of]) => field(of, 'output') !== true)
  const defaults = found(data, 'defaults')
    .flat()
    .filter(each => STATES.some(([key, off]) => field(field(each, 'values'), key) === off))
  return [
    { reason: because('exclude'), rules: globRules([...settings.texts('exclude'), ...taken], base) },
    ...hidden.map(([name]) => ({
      reason: because(`collections.${name}`),
      rules: globRules([[folder, `_${name}`].filter(Boolean).join('/')], base),
    })),
    {
      reason: because('defaults'),
      rules: globRules(
        defaults.flatMap(each => globOf(field(field(each, 'scope'), 'path'))),
        base,
      ),
    },
  ]
}

const STATES = [
  ['published', false],
  ['draft', true],
  ['hidden', true],
] as const

function globOf(path: unknown): string[] {
  return typeof path === 'string' && path !== '' ? [path] : []
}
