import assert from 'node:assert/strict'
import test from 'node:test'
import { exported, onlyText } from '../../support/exported.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()

test('palette.gpl has a colour on a line, none of more than 100 bytes', async () => {
  const long = 'é'.repeat(500)
  const made = await exported(temporary, 'gpl', {
    'styles/colors.yaml': `- { name: Ink, hex: "#0b0c0c" }\n- { name: "a\u00a0b", hex: "#fff" }\n- { id: long, name: ${long}, hex: "#102030" }\n`,
  })
  const lines = onlyText(made).split('\n')
  assert.deepEqual(lines.slice(0, 3), ['GIMP Palette', 'Name: Acme – guide, revision 1', 'Columns: 0'])
  assert.equal(lines.filter(line => line.startsWith('# snapshot ')).length, 1)
  assert.deepEqual(lines.slice(-4, -2), [' 11  12  12\tInk', '255 255 255\ta\u00a0b'])
  assert.match(lines.at(-2) ?? '', /^ {1}16 {2}32 {2}48\té+…$/)
  for (const line of lines) assert.ok(Buffer.byteLength(line) <= 100, line)
})
