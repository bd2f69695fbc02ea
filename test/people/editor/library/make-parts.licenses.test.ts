import assert from 'node:assert/strict'
import test from 'node:test'
import { fontLicenses, licenses } from '#people/editor/library/make-parts.ts'

test('the license file of the scripts has the licenses of the library and of the packages in the formats', () => {
  const text = licenses(['yaml'])
  const headings = Array.from(text.matchAll(/^(.+)\n=+$/gm), ([, heading]) => heading)
  assert.deepEqual(headings, ['sveltia-cms.js: Sveltia CMS, with changes', 'formats.js: contains yaml'])
  assert.match(text, /MIT License\n\nCopyright \(c\) \d+ Kohei Yoshino/)
  assert.match(text, /Copyright Eemeli Aro/)
})

test('the license file of the fonts has the license of each font', () => {
  const text = fontLicenses()
  for (const words of ['SIL OPEN FONT LICENSE', 'The Noto Project Authors', 'Apache License'])
    assert.ok(text.includes(words))
})
