import assert from 'node:assert/strict'
import { test } from 'node:test'
import { basePath, decodeSegments, pathProblem, splitTarget } from '#platform/exchange/target.ts'
import { golden } from '../../support/golden.ts'
import { fc, forAll } from '../../support/random.ts'

golden('exchange/target', ({ target }: { target: string }) => splitTarget(target) ?? 'refused')

const text = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter(
    each => !each.includes('\0') && each.isWellFormed() && each.split('/').every(part => part !== '' && part !== '..'),
  )

test('decoding undoes one percent-encoding of segments', () =>
  forAll([fc.array(text, { minLength: 1 })], segments => {
    assert.deepEqual(decodeSegments(`/${segments.map(encodeURIComponent).join('/')}`), segments)
  }))

test('no path gives an empty segment, "..", a NUL, or an exception', async () => {
  const piece = fc.constantFrom('/', '%2F', '%2f', '.', '%2e', '%', '%00', '\0', '%25', '%C3', '%BC', '\xc3', 'a')
  await forAll([fc.array(piece)], pieces => {
    const parts = (decodeSegments(`/${pieces.join('')}`) ?? []).flatMap(segment => segment.split('/'))
    assert.ok(parts.every(part => part !== '' && part !== '..' && !part.includes('\0')))
  })
})

test('a path that cannot be decoded has one problem, and a trailing slash comes first', () => {
  const problems = {
    'trailing-slash': ['/', '/a/', '//', '/a/%2F', '/a%2f', '/../', '/%00/', '/%/', '/%ff%2F'],
    'empty-segment': ['//a', '/a//b', '/a/%2Fb', '/a%2F%2Fb'],
    'parent-segment': ['/..', '/a/%2e%2E', '/a%2F..%2Fb', '/..//a'],
    'nul-in-path': ['/%00', '/a/b%00c', '/%00..'],
    'broken-encoding': ['/%', '/%4', '/%zz/..', '/a/100%'],
    'not-utf-8': ['/%FF', '/%C0%AF', '/%ED%A0%80', '/\xff', '/%FF/..'],
  }
  for (const [problem, paths] of Object.entries(problems))
    for (const path of paths) {
      assert.equal(decodeSegments(path), undefined, path)
      assert.equal(pathProblem(path), problem, path)
    }
})

test('the path of a public URL has no trailing slash, and is empty at the root of a host', () => {
  const paths = {
    'https://a.example': '',
    'https://a.example/': '',
    'https://a.example/b/c': '/b/c',
    'http://a/b/': '/b',
  }
  for (const [url, path] of Object.entries(paths)) assert.equal(basePath(url), path)
})
