import assert from 'node:assert/strict'
import test from 'node:test'
import { exported, onlyText } from '../../support/exported.ts'
import { needs } from '../../support/programs.ts'
import { fc, scale } from '../../support/random.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { hostileBrand } from '../hostile-brand.ts'
import { csvLists, csvRecords } from './python-csv.ts'

const temporary = await temporaryStore()

test('types.csv has a row for each type style, and negative numbers remain numbers', async () => {
  const made = await exported(temporary, 'csv-types', {
    'styles/types.yaml': `- { name: -Body, family: Acme, fallback: [Helvetica Neue, "A, B"], size: 16, weight: SemiBold, style: italic, leading: 1.5, tracking: -0.02, casing: uppercase, spacing: 0.5, responsive: true, features: { zero: 1, liga: 0 }, axes: { SOFT: 100, slnt: -7.5 }, sample: "+1" }
- { name: Plain }
`,
  })
  assert.equal(
    onlyText(made),
    [
      'id,name,family,fallback,size,weight,style,leading,tracking,casing,spacing,responsive,features,axes,sample',
      `body,'-Body,Acme,"Helvetica Neue, ""A, B""",16,600,italic,1.5,-0.02,uppercase,0.5,true,"liga=0, zero=1","SOFT=100, slnt=-7.5",'+1`,
      'plain,Plain,,,,,,,,none,,false,,,',
      '',
    ].join('\r\n'),
  )
})

test('Python reads every authored value of every type style, with any names', needs('python3'), async () => {
  await fc.assert(
    fc.asyncProperty(hostileBrand(), async brand => {
      const made = await exported(temporary, 'csv-types', brand)
      const records = csvRecords(onlyText(made))
      const lists = csvLists(
        records.flatMap(({ fallback = '', features = '', axes = '' }) => [fallback, features, axes]),
      )
      const found = records.map((cells, at) => styleOf(cells, lists.slice(3 * at, 3 * at + 3)))
      assert.deepEqual(found, made.types)
    }),
    { numRuns: scale(6) },
  )
})

const NUMBERS = ['size', 'weight', 'leading', 'tracking', 'spacing']

function styleOf(cells: Record<string, string>, [fallback = [], features = [], axes = []]: string[][]): object {
  const { features: _, fallback: __, axes: ___, responsive, ...rest } = cells
  const settings = (items: string[]) =>
    Object.fromEntries(items.map(item => [item.slice(0, 4), Number(item.slice(5))] as const))
  const values = Object.entries(rest)
    .filter(([, cell]) => cell !== '')
    .map(([key, cell]) => [key, NUMBERS.includes(key) ? Number(cell) : cell] as const)
  return {
    ...Object.fromEntries(values),
    ...(fallback.length > 0 && { fallback }),
    responsive: responsive === 'true',
    features: settings(features),
    ...(axes.length > 0 && { axes: settings(axes) }),
  }
}
