import assert from 'node:assert/strict'
import test from 'node:test'
import { stylesOf } from '#test/support/converted.ts'
import { golden } from '#test/support/golden.ts'
import { converted, namesAndHexes } from '../../../support/converted.ts'

test('references and groups that grow exponentially end in time', () => {
  const chain = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`t${at}`, { $value: `{t${at + 1}}` }]))
  assert.equal(converted({ $type: 'color', ...chain, t5000: { $value: '#000' } }).colors.length, 64)
  const doubled = Array.from({ length: 60 }, (_, at) => [
    `t${at}`,
    {
      $type: 'color',
      $value: { components: { $ref: `#/t${at + 1}/$value` }, colorSpace: { $ref: `#/t${at + 1}/$value` } },
    },
  ])
  assert.equal(converted({ ...Object.fromEntries(doubled), t60: { $type: 'color', $value: '#000' } }).colors.length, 1)
})

const DOUBLED: Readonly<Record<string, (next: string) => object>> = {
  gradients: next => ({ $type: 'gradient', $value: [{ color: `{${next}}` }, { color: `{${next}}` }] }),
  pointers: next => ({ $type: 'shadow', $value: [{ $ref: `#/${next}/$value` }, { $ref: `#/${next}/$value` }] }),
  'type styles': next => ({ $type: 'typography', $value: { fontFamily: `{${next}}`, fontSize: `{${next}}` } }),
}
for (const [kind, doubled] of Object.entries(DOUBLED))
  test(`60 ${kind} that each name the next one twice are left out where they grow, and nothing else is`, () => {
    const chain = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`t${at}`, doubled(`t${at + 1}`)]))
    const styles = converted({
      ink: { $type: 'color', $value: '#112233' },
      ...chain,
      t60: { $type: 'color', $value: '#000000' },
      sky: { $type: 'color', $value: '{ink}' },
    })
    assert.deepEqual(namesAndHexes(styles), ['ink #112233', 't60 #000000', 'sky #112233'])
    assert.match(
      styles.notes.join('\n'),
      /"t\d+".*refers to others that make too many values of it \(10000\); left out/,
    )
  })

test('groups that extend others inside each other are read up to a limit, which a note tells', () => {
  const group = (next: number) => ({ a: { $extends: `{g${next}}` }, b: { $extends: `{g${next}}` } })
  const chain = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`g${at}`, group(at + 1)]))
  const { notes } = converted({ ...chain, g60: { x: { $type: 'color', $value: '#000' } } })
  assert.ok(notes.some(note => /^"the file": has groups that extend others to more tokens than can be read/.test(note)))
})

golden('adopt/conversion/tokens/design-tokens', stylesOf)
