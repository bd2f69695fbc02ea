import assert from 'node:assert/strict'
import test from 'node:test'
import { placedPicture } from '#delivery/lint/markup/placed-picture.ts'

const read = (attributes: Readonly<Record<string, string>>) =>
  placedPicture(name => ({ src: 'a.svg', ...attributes })[name] ?? '')

for (const [attributes, placement] of [
  [{ width: '40' }, { width: 40, fits: false }],
  [
    { width: '40px', height: '20' },
    { width: 40, height: 20, fits: false },
  ],
  [
    { height: '20', style: 'width: 1in' },
    { width: 96, height: 20, fits: false },
  ],
  [
    { width: '40', height: '20', style: 'WIDTH:80PX; height: auto' },
    { width: 80, fits: false },
  ],
  [
    { width: '40', style: 'object-fit: contain' },
    { width: 40, fits: true },
  ],
  [
    { width: '40', style: 'object-fit: fill' },
    { width: 40, fits: false },
  ],
  [{ width: '40', style: 'object-fit: cover' }, undefined],
  [{ width: '40', style: 'max-width: 100%' }, undefined],
  [{ width: '50%', height: '20' }, undefined],
  [{ width: '40', style: 'width: 3em' }, undefined],
  [{ width: '0', height: '0' }, undefined],
  [{}, undefined],
] as const)
  test(`the size of a picture with ${JSON.stringify(attributes)} is ${JSON.stringify(placement ?? 'unknown')}`, () => {
    assert.deepEqual(read(attributes), { kind: 'picture', address: 'a.svg', ...(placement && { placement }) })
  })

test('an image without an address is no picture', () => {
  assert.equal(read({ src: ' ', width: '40' }), undefined)
})
