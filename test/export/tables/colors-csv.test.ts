import assert from 'node:assert/strict'
import test from 'node:test'
import { withoutUndefined } from '../../../src/base/object.ts'
import { exported, onlyText } from '../../support/exported.ts'
import { needs } from '../../support/programs.ts'
import { fc, scale } from '../../support/random.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { hostileBrand } from '../hostile-brand.ts'
import { csvLists, csvRecords } from './python-csv.ts'

const temporary = await temporaryStore()

test('colors.csv has a header, and a row for each colour in the order of the folder', async () => {
  const made = await exported(temporary, 'csv', {
    'styles/colors.yaml': `- { name: "Ink, \\"deep\\"", hex: "#14212b", cmyk: [85, 65, 50, 70], pms: 5395 C, pms2: 5395 U, ral: 5004, group: Core, use: "=Text", on: [paper, mist], proportion: 22 }
- { name: Paper, hex: "#faf7f2", tintOf: ink-deep }
- { name: Mist, hex: "#edf0f2" }
`,
  })
  assert.equal(
    onlyText(made),
    [
      'id,name,hex,rgb,cmyk,pms,pms2,ral,group,use,on,proportion,tintOf',
      `ink-deep,"Ink, ""deep""",#14212b,"20,33,43","85,65,50,70",5395 C,5395 U,5004,Core,'=Text,"paper, mist",22,`,
      'paper,Paper,#faf7f2,"250,247,242",,,,,,,,,ink-deep',
      'mist,Mist,#edf0f2,"237,240,242",,,,,,,,,',
      '',
    ].join('\r\n'),
  )
})

test('Python reads every authored value of every colour, with any names', needs('python3'), async () => {
  await fc.assert(
    fc.asyncProperty(hostileBrand(), async brand => {
      const made = await exported(temporary, 'csv', brand)
      const records = csvRecords(onlyText(made))
      const grounds = csvLists(records.map(({ on = '' }) => on))
      const found = records.map(({ ral = '', on = '', proportion = '', ...rest }, at) => ({
        ...Object.fromEntries(Object.entries(rest).filter(([, cell]) => cell !== '')),
        ...withoutUndefined({
          ral: ral === '' ? undefined : Number(ral),
          on: on === '' ? undefined : grounds[at],
          proportion: proportion === '' ? undefined : Number(proportion),
        }),
      }))
      assert.deepEqual(found, made.colors)
    }),
    { numRuns: scale(6) },
  )
})
