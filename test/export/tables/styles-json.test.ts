import assert from 'node:assert/strict'
import test from 'node:test'
import { exported, onlyText } from '../../support/exported.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()

test('styles.json has every authored value of colours and type styles', async () => {
  const made = await exported(temporary, 'json', {
    'styles/colors.yaml': `- name: "Blue \\"1\\""
  hex: "#1D70B8"
  cmyk: [84, 39, 0, 28]
  pms: 285 C
  pms2: 2172 U
  ral: 5015
  group: Core
  use: links
- { name: __proto__, hex: "#000", on: [blue-1], proportion: 10, tintOf: blue-1 }
`,
    'styles/types.yaml': `- { name: Body, size: 16, leading: 1.5, weight: SemiBold, style: italic, fallback: [serif], sample: Hi, features: { tnum: 1 } }
`,
  })
  const { name, revision, snapshot, colors, types } = JSON.parse(onlyText(made))
  assert.equal(name, 'Acme – guide')
  assert.equal(revision, 1)
  assert.match(snapshot, /^[0-9a-f]{64}$/)
  assert.deepEqual(colors, [
    {
      id: 'blue-1',
      name: 'Blue "1"',
      rgb: '29,112,184',
      cmyk: '84,39,0,28',
      hex: '#1d70b8',
      pms: '285 C',
      pms2: '2172 U',
      ral: 5015,
      group: 'Core',
      use: 'links',
    },
    { id: 'proto', name: '__proto__', rgb: '0,0,0', hex: '#000000', on: ['blue-1'], proportion: 10, tintOf: 'blue-1' },
  ])
  assert.deepEqual(types, [
    {
      id: 'body',
      name: 'Body',
      size: 16,
      leading: 1.5,
      casing: 'none',
      responsive: false,
      features: { tnum: 1 },
      weight: 600,
      style: 'italic',
      fallback: ['serif'],
      sample: 'Hi',
    },
  ])
})

test('a brand without styles has empty lists', async () => {
  const made = JSON.parse(onlyText(await exported(temporary, 'json', { 'pages/index.md': '# Home\n' })))
  assert.deepEqual([made.colors, made.types], [[], []])
})
