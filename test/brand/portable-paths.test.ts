import assert from 'node:assert/strict'
import test from 'node:test'
import { assignCopyNames, openPathAllocator } from '#brand/portable-paths.ts'
import { hashOf } from '#brand/snapshot.ts'
import { fc, forAll } from '../support/random.ts'

test('a path stays as wanted if every disk allows it', () => {
  const cases = [
    ['logo/index.html', 'logo/index.html'],
    ['色/index.html', '色/index.html'],
    ['a:b?.txt', 'a_b_.txt'],
    ['con/index.html', 'con_/index.html'],
    ['Aux.svg', 'Aux_.svg'],
    ['control.svg', 'control.svg'],
    ['dots...', 'dots_'],
    ['x\n\u0000y', 'x__y'],
  ] as const
  for (const [wanted, place] of cases) assert.equal(openPathAllocator().take(wanted), place)
})

test('paths that some disks treat as equal become different', () => {
  const { take } = openPathAllocator()
  const wanted = ['Logo.svg', 'logo.svg', 'LOGO.SVG', 'é/index.html', 'e\u0301/index.html', 'a', 'A/b.txt', 'c/d', 'C']
  const taken = 'Logo.svg logo~2.svg LOGO~3.SVG é/index.html e\u0301~2/index.html a A~2/b.txt c/d C~2'
  assert.equal(wanted.map(take).join(' '), taken)
})

test('many paths that differ only in case become different without quadratic time', () => {
  const { take } = openPathAllocator()
  const name = 'abcdefghijklm'
  const paths = Array.from({ length: 5000 }, (_, at) =>
    Array.from(name, (letter, bit) => ((at >> bit) & 1 ? letter.toUpperCase() : letter)).join(''),
  )
  const taken = paths.map(path => take(`${path}.txt`))
  assert.equal(new Set(taken.map(path => path.toLowerCase())).size, 5000)
  assert.match(taken.at(-1) ?? '', /~5000\.txt$/)
})

test('allocated paths differ, stay in their folder, and have names that every disk allows', async () => {
  const name = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' }).filter(each => !/^\.\.?$|[/\0]/.test(each))
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map(names => names.join('/'))
  await forAll([fc.array(path, { maxLength: 20 })], wanted => {
    const { take } = openPathAllocator()
    const taken = wanted.map(take)
    assert.equal(new Set(taken.map(each => each.normalize('NFC').toLowerCase())).size, taken.length)
    for (const each of taken.flatMap(place => place.split('/'))) {
      assert.ok(Buffer.byteLength(each) <= 255 && each !== '' && each !== '..')
      assert.doesNotMatch(each, /[<>:"|?*\\\p{Cc}]|[. ]$/u)
    }
  })
})

test('files with the same name in any case get numbers before their extensions', () => {
  const hash = hashOf(new Uint8Array())
  const files = ['a/x.woff', 'b/X.woff', 'c/x.woff', 'x-2.woff', 'd/SHEET.css', 'LICENSE', 'e/license'].map(path => ({
    path,
    size: 1,
    contentType: 'font/woff',
    hash,
  }))
  assert.deepEqual(
    [...assignCopyNames(files, ['sheet.css']).values()],
    ['x.woff', 'X~2.woff', 'x~3.woff', 'x-2.woff', 'SHEET~2.css', 'LICENSE', 'license~2'],
  )
})
