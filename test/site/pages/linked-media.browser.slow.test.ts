import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { isAnimated } from '#formats/picture/animation.ts'
import { CHROMIUM, openPage } from '../../support/browser.ts'
import { golden } from '../../support/golden.ts'
import { runningService, searchable } from '../../support/service.ts'
import { publishedBrand } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

const film = readFileSync(new URL('../../fixtures/film.webm', import.meta.url))
/** Black for 1.6 seconds, then brown. */
const fade = readFileSync(new URL('../../fixtures/fade.webm', import.meta.url))
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="90"><path d="M0 0h160v90H0z"/></svg>'
const photo = readFileSync(new URL('../../../examples/acme/guidelines/files/film/ident.jpg', import.meta.url))
/** Two frames of 40 × 40, red and blue, without end. */
const turn = Buffer.from(
  'R0lGODlhKAAoAPAAAP8AAAAAACH5BAAeAAAAIf8LTkVUU0NBUEUyLjADAQAAACwAAAAAKAAoAAACJ4SPqcvtD6OctNqLs968+w+G4kiW5omm6sq27gvH8kzX9o3n+s4jBQAh+QQAHgAAACwAAAAAKAAoAIAAAP8AAAACJ4SPqcvtD6OctNqLs968+w+G4kiW5omm6sq27gvH8kzX9o3n+s4jBQA7',
  'base64',
)
const lottie = JSON.stringify({ v: '5.7.0', fr: 25, ip: 0, op: 50, w: 160, h: 90, layers: [] })
const captions = 'WEBVTT\n\n00:00.000 --> 00:02.000\nA plane takes a shaving.\n'
const { url } = await runningService(
  await publishedBrand({
    'media/project.yaml': 'visibility: public\nlang: de\n',
    'media/files/ident.webm': film,
    'media/files/ident.svg': svg,
    'media/files/ident.vtt': captions,
    'media/files/plain.webm': film,
    'media/files/fade.webm': fade,
    'media/pages/fade.md': '# Fade\n\n[Fade](../files/fade.webm)\n',
    'media/files/turn.gif': turn,
    'media/pages/moving.md':
      '# Moving\n\n![Turns](../files/turn.gif "How it turns")\n\n| Sign |\n| --- |\n| ![Small](../files/turn.gif) |\n\n[![Linked](../files/turn.gif)](index.md)\n\nSo ![Inline](../files/turn.gif).\n\n- [Card](../files/turn.gif)\n',
    'media/files/horn.mp3': Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'),
    'media/files/spinner.json': lottie,
    'media/files/spinner.svg': svg,
    'media/files/wheel.lottie': 'PK\x03\x04',
    'media/files/wheel.webm': film,
    'media/files/film/shaving.webm': film,
    'media/files/film/shaving.jpg': photo,
    'media/files/sound/bell.mp3': Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'),
    'media/pages/cards.md':
      '- [The film](../files/ident.webm)\n- [Shaving](../files/film/shaving.webm)\n- [Plain](../files/plain.webm)\n- [Spinner](../files/spinner.json)\n- [Horn](../files/horn.mp3)\n',
    'media/pages/kits.md': '- [Films](../files/film/)\n- [Sounds](../files/sound/)\n',
    'media/files/data.json': '{ "tags": ["plane"] }',
    'media/files/data.svg': svg,
    'media/files/files.yaml': 'data.svg: { title: Drawing }\n',
    'media/pages/index.md':
      '# Home\n\n[The film](../files/ident.webm "How we plane")\n\n![Picture](../files/plain.webm)\n',
    'media/pages/loop.md': '# Loop\n\n[The film](../files/ident.webm "loop")\n\n![Again](../files/ident.webm "loop")\n',
    'media/pages/columns.md':
      '# Columns\n\n<!-- columns: 2 -->\n- [One](../files/plain.webm "loop")\n- [Two](../files/ident.webm)\n\n<!-- columns: 2 -->\n- ![One](../files/plain.webm)\n- ![Two](../files/ident.webm)\n\n<!-- columns: 3 -->\n![One](../files/plain.webm)\n![Two](../files/ident.webm)\n![Three](../files/ident.svg)\n',
    'media/pages/far.md': `# Far\n\n[One](../files/plain.webm)\n\n${'Text.\n\n'.repeat(200)}[Two](../files/plain.webm)\n`,
    'media/pages/listed.md': '- [One](../files/plain.webm "loop")\n- [Two](../files/horn.mp3 "Loop")\n',
    'media/pages/words.md':
      '# Words\n\nSee [the film](../files/ident.webm "loop") or ![the picture](../files/ident.webm).\n',
    'media/pages/html.md': '<video src="../files/ident.webm"></video>\n',
    'media/pages/more.md':
      '[Horn](../files/horn.mp3)\n\n[Spinner](../files/spinner.json)\n\n[Wheel](../files/wheel.lottie)\n\n[Data](../files/data.json)\n',
  }),
)

/** An article without addresses and dominant colours. */
async function article(path: string): Promise<string> {
  const text = await (await fetch(`${url}/acme/media${path}`)).text()
  const main = text.slice(text.indexOf('<article'), text.indexOf('</article>'))
  const short = main.replace(/\/acme\/media\/-\/(?:files|thumbnails)\/[\w-]+\/(?:\d+\/)?/g, '')
  return short.replace(/ class="tint [^"]*"| tint [^"]*(?=")/g, '')
}

golden('site/pages/linked-media', async ({ path }: { path: string }) =>
  (await article(path)).split(/\n|(?=<(?:p|li|figure|figcaption)\b)/),
)

test('the library has one card for a video, its poster and its captions, and one for each of other files of one name', async () => {
  const files = await (await fetch(`${url}/acme/media/-/files/media`)).text()
  assert.match(files, /<span class="tile"><img src="[^"]*ident.svg" alt="" [^>]*><span class="plays"><\/span><\/span>/)
  assert.match(
    files,
    /<span class="tile"><video src="[^"]*plain.webm" [^>]*preload="none"[^>]*><\/video><span class="still" aria-hidden="true">Plain<\/span><span class="plays">/,
  )
  assert.equal(files.split('<video').length - 1, 3)
  assert.match(files, /download="ident.webm".*download="ident.svg".*download="ident.vtt"/s)
  const all = await (await fetch(`${url}/acme/media/-/files`)).text()
  for (const name of ['Data', 'Drawing']) assert.ok(all.includes(`<span class="file-name">${name}</span>`), name)
})

test('a looping video plays in view until it is paused, not with reduced motion', CHROMIUM, async () => {
  const playing = 'document.querySelector("video").paused === false'
  const { page, complaints } = await openPage()
  await page.goto(`${url}/acme/media/loop`)
  await until(() => page.evaluate(playing))
  const button = page.locator('.loop button').first()
  await button.click()
  assert.equal(await button.getAttribute('aria-pressed'), 'true')
  assert.equal(await page.evaluate(playing), false)
  await button.click()
  await until(() => page.evaluate(playing))
  await page.evaluate('document.querySelector("track").track.mode = "hidden"')
  await until(() => page.evaluate('document.querySelector("track").track.cues?.length === 1'))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await until(() => page.evaluate('document.querySelector("video").controls'))
  assert.deepEqual([await page.evaluate(playing), await button.isVisible(), complaints], [false, false, []])
})

test('a moving picture is still in the page and on a card', async () => {
  const text = await (await fetch(`${url}/acme/media/moving`)).text()
  const stills = new Set(text.match(/(?<="| )\/[^" ]*\/-\/thumbnails\/[^" ]*turn.gif/g))
  assert.equal(stills.size, 3) // On the page, and on a card for two densities.
  // Until it is drawn, the picture itself is sent.
  for (const still of stills)
    await until(async () => {
      const reply = await fetch(`${url}${still}`)
      assert.equal(reply.headers.get('content-type'), 'image/gif')
      return !isAnimated(Buffer.from(await reply.arrayBuffer()), 'image/gif')
    })
})

test('a moving picture moves until it is paused, and not with reduced motion', CHROMIUM, async () => {
  const { page, complaints } = await openPage()
  const isMoving = () => page.evaluate<boolean>(`/\\/files\\//.test(document.querySelector('[data-moving]').src)`)
  await page.goto(`${url}/acme/media/moving`)
  await until(isMoving)
  const button = page.locator('.moving').first()
  await button.press('Enter')
  assert.deepEqual([await button.getAttribute('aria-pressed'), await isMoving()], ['true', false])
  await button.press('Enter')
  assert.deepEqual([await button.getAttribute('aria-pressed'), await isMoving()], ['false', true])
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await until(async () => !(await isMoving()))
  await page.reload()
  await until(() => button.isVisible())
  assert.deepEqual([await button.getAttribute('aria-pressed'), await isMoving(), complaints], ['true', false, []])
})

test('in columns, films of a list or of one paragraph are players next to each other', CHROMIUM, async () => {
  const { page } = await openPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${url}/acme/media/columns`)
  const boxes = await page.locator('.films').all()
  assert.equal(boxes.length, 3)
  for (const box of boxes) {
    const films = await Promise.all((await box.locator('video, img').all()).map(film => film.boundingBox()))
    const [first, ...others] = films.map(film => ({
      ...film,
      x: Math.round(film?.x ?? 0),
      y: Math.round(film?.y ?? 0),
    }))
    assert.ok(others.every(({ x, y }) => x > (first?.x ?? 0) && y === first?.y))
    assert.ok(Math.abs((first?.width ?? 0) / (first?.height ?? 1) - 32 / 18) < 0.01)
  }
  assert.equal(await page.locator('.films audio, .cards').count(), 0)
})

test('a film without a poster loads its first frame when it is near the screen', CHROMIUM, async () => {
  const { page } = await openPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${url}/acme/media/far`)
  const preloads = () => page.locator('video').evaluateAll(films => films.map(film => film.getAttribute('preload')))
  await until(async () => (await preloads()).join() === 'metadata,none')
  await page.locator('video').nth(1).scrollIntoViewIfNeeded()
  await until(async () => (await preloads()).join() === 'metadata,metadata')
  await page.goto(`${url}/acme/media/-/files/media`)
  const hasFrame = 'document.querySelector(".tile video").readyState > 0'
  await page.locator('.tile video').first().scrollIntoViewIfNeeded()
  await until(() => page.evaluate(hasFrame))
})

test('a film that fades in shows a later frame, and plays from its start', CHROMIUM, async () => {
  const { page, complaints } = await openPage()
  const timeOf = () => page.evaluate<number>(`document.querySelector('video[src$="fade.webm"]').currentTime`)
  await page.goto(`${url}/acme/media/fade`)
  await until(async () => (await timeOf()) > 0)
  const start = 'const film = document.querySelector("video"); film.muted = true; film.play()'
  await page.evaluate(start)
  await until(async () => (await timeOf()) < 1)
  assert.deepEqual(complaints, [])
})

test('the word "loop" is not shown in columns or in a search', async () => {
  assert.doesNotMatch(await article('/columns'), />loop<|title="loop"/i)
  await searchable(`${url}/acme/media`)
  const search = await (await fetch(`${url}/acme/media/-/search?q=film+one`)).text()
  assert.doesNotMatch(search, /\(loop\)/i)
})
