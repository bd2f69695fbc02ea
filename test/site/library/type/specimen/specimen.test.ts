import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { testService } from '../../../../support/service.ts'
import { nameTable } from '../../../../support/sfnt.ts'
import { temporaryStore } from '../../../../support/temporary-store.ts'
import { interWith, variableInter } from '../../../../support/variable-font.ts'

const HOSTILE = '"><script>alert(1)</script>'
const PLEX = 'node_modules/@ibm/plex-sans/fonts'
const temporary = await temporaryStore()
await temporary.importing('acme', {
  'fonts/project.yaml': 'visibility: public\n',
  'fonts/files/inter.ttf': variableInter([['wght', 100, 400, 900]]),
  'fonts/files/hostile.ttf': interWith({
    name: nameTable([
      [3, 0x409, 1, `Acme ${HOSTILE}`],
      [3, 0x409, 0, HOSTILE],
      [3, 0x409, 13, HOSTILE],
      [3, 0x409, 14, 'javascript:alert(1)'],
    ]),
  }),
  'fonts/files/plex/regular.woff2': readFileSync(`${PLEX}/complete/woff2/IBMPlexSans-Regular.woff2`),
  'fonts/files/plex/regular.woff': readFileSync(`${PLEX}/complete/woff/IBMPlexSans-Regular.woff`),
  'fonts/files/plex/bold.woff2': readFileSync(`${PLEX}/complete/woff2/IBMPlexSans-Bold.woff2`),
})
await temporary.publish('acme/fonts')
const { ask } = await testService(temporary)
const { text } = await ask('/acme/fonts/-/type')

/** The section of the page for a family. */
function specimenOf(family: string): string {
  const start = text.indexOf(`<section class="specimen"><h3>${family}`)
  assert.ok(start > 0, family)
  return text.slice(start, text.indexOf('</section>', start))
}

test('a font in several formats has one line, and the family can be downloaded as one archive', async () => {
  const plex = specimenOf('IBM Plex Sans')
  assert.equal(plex.match(/<li><span class="family/g)?.length, 2)
  assert.match(
    plex,
    /Regular<\/span>\n<span class="quiet">400<\/span> <a href="[^"]*regular\.woff".*<a href="[^"]*regular\.woff2"/,
  )
  const [, address = ''] = /href="([^"]*files\.zip[^"]*)"/.exec(plex) ?? []
  const archive = await ask(address.replaceAll('&#38;', '&'))
  assert.deepEqual([archive.status, archive.headers.get('content-type')], [200, 'application/zip'])
})

test('a variable font has a line for each hundred of its axis', () => {
  assert.deepEqual(
    Array.from(specimenOf('Inter').matchAll(/class="family-\d+ weight-(\d+)">(\w+)</g), found =>
      found.slice(1).join(' '),
    ),
    [
      '100 Thin',
      '200 ExtraLight',
      '300 Light',
      '400 Regular',
      '500 Medium',
      '600 SemiBold',
      '700 Bold',
      '800 ExtraBold',
      '900 Black',
    ],
  )
})

test('font metadata is shown as text, and as a link only if it is a web address', () => {
  const hostile = specimenOf('Acme')
  assert.ok(!hostile.includes('<script'))
  assert.ok(hostile.includes('<dt>Copyright</dt><dd>&#34;&#62;&#60;script&#62;'))
  assert.ok(hostile.includes(' javascript:alert(1)</dd>') && !hostile.includes('href="javascript'))
})
