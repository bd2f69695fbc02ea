import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import type { Page, Route } from 'playwright-core'
import { CHROMIUM, openPage } from '../support/browser.ts'
import { nameTable, sfnt, tablesOf } from '../support/fonts.ts'
import { runningService } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'
import { until } from '../support/until.ts'
import { XSS_VECTORS } from './xss-vectors.ts'

const SCRIPT = 'document.documentElement.dataset.ran = 1; alert(1)'
const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"'
const SVG_FILES: readonly string[] = [
  `<svg ${SVG}><script>${SCRIPT}</script></svg>`,
  `<svg ${SVG} onload="${SCRIPT}"></svg>`,
  `<svg ${SVG}><a xlink:href="javascript:${SCRIPT}"><text y="20">x</text></a></svg>`,
  `<svg ${SVG}><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script&gt;parent.${SCRIPT}&lt;/script&gt;"/></foreignObject></svg>`,
  `<svg ${SVG}><animate attributeName="x" dur="1s" onbegin="${SCRIPT}"/></svg>`,
  `<svg ${SVG}><image href="x" onerror="${SCRIPT}"/></svg>`,
  `<svg ${SVG}><html:script xmlns:html="http://www.w3.org/1999/xhtml">${SCRIPT}</html:script></svg>`,
  `<?xml-stylesheet type="text/xsl" href="data:text/xml,<x/>"?><svg ${SVG}><script href="data:text/javascript,${SCRIPT}"/></svg>`,
]

test('no vector of cross-site scripting runs, at any place in a guide', CHROMIUM, async t => {
  assert.ok(new Set(XSS_VECTORS).size >= 300)
  const { url } = await runningService(await hostileGuide())
  const { page, complaints, requests } = await openPage({ viewport: { width: 1280, height: 900 } })
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', event => console.log('violates the policy', event.blockedURI))",
  )
  await page.route(/\/theme\.css$|\/assets\/.*\.js$/, async route => route.fulfill({ response: await fetched(route) }))
  const guide = `${url}/acme/hostile`
  const single = ['', '/cards', '/-/colors', '/-/type', '/-/files', '/-/pages', '/-/search', '/gone'].map(
    below => guide + below,
  )
  const searches = XSS_VECTORS.slice(0, 40).map(vector => `${guide}/-/search?q=${encodeURIComponent(vector)}`)
  const pages = Map.groupBy(XSS_VECTORS.keys(), partOf)
  const batches = [
    ...[...single, `${url}/acme`, `${url}/`].map(address => [address]),
    XSS_VECTORS.slice(0, COVERED).map((_, at) => `${guide}/v${at}`),
    ...Array.from(pages, ([part, vectors]) => vectors.map(at => `${url}/acme/${part}/v${at}`)),
    ...Map.groupBy(searches, (_, at) => at % 5).values(),
  ]
  for (const addresses of batches) {
    await openTogether(page, addresses)
    await page.evaluate(PROVOKE)
    assert.deepEqual(ran(complaints), [], addresses.join('\n'))
  }
  const unexpected = requests.filter(address => !address.startsWith(`${url}/`))
  assert.deepEqual(unexpected, [])

  await t.test('nor does a file of the project as a script or worker of a page', async () => {
    await page.goto(`${guide}/-/files`)
    const file = await page.locator('a[href*="/-/files/"][href$="/hostile.js"]').first().getAttribute('href')
    assert.equal((await fetch(url + file)).headers.get('content-type'), 'application/octet-stream')
    for (const make of [`script('${file}')`, `script('${file}', 'module')`, `new Worker('${file}')`])
      assert.equal(
        await page.evaluate(`new Promise(done => {
        const script = (src, type = '') => document.head.appendChild(Object.assign(document.createElement('script'), { src, type }))
        const made = ${make}
        made.onload = made.onmessage = () => done('loaded')
        made.onerror = () => done('refused')
      })`),
        'refused',
        make,
      )
    assert.equal(await page.evaluate('document.documentElement.dataset.ran ?? "did not run"'), 'did not run')
    complaints.length = 0
  })

  await t.test('nor does a file that is opened directly', async () => {
    await page.goto(`${guide}/-/files`)
    const files = await page.locator('a[href*="/-/files/"][href$=".svg"]').evaluateAll(links => links.map(String))
    const addresses = new Set(files.filter(address => address.includes('/hostile-')))
    assert.equal(addresses.size, SVG_FILES.length)
    for (const address of addresses) {
      await page.goto(address)
      await page.mouse.click(10, 10)
      assert.equal(await page.evaluate('document.documentElement.dataset.ran ?? "did not run"'), 'did not run', address)
    }
    const unexpected = complaints.filter(complaint => complaint.startsWith('dialog'))
    assert.deepEqual(unexpected, [])
  })
})

/** Opens pages as one document with the HTML of all: a browser runs it as if each was alone, but loads much less. */
async function openTogether(page: Page, addresses: readonly string[]): Promise<void> {
  const [first = '', ...others] = addresses
  const more = await Promise.all(others.map(htmlOf))
  const opens = async (route: Route) => {
    const response = await fetched(route)
    await route.fulfill({ response, body: [await response.text(), ...more].join('') })
  }
  await page.route(first, opens, { times: 1 })
  const reply = await page.goto(first)
  assert.ok(reply && (reply.status() === 200 || first.endsWith('/gone')), `${reply?.status()} ${first}`)
  // A page whose HTML stays open would hide the next.
  assert.equal(await page.locator('main').count(), addresses.length, first)
}

function fetched(route: Route) {
  return onceAnswered(
    () => route.fetch(),
    reply => reply.status(),
  )
}

async function htmlOf(address: string): Promise<string> {
  const reply = await onceAnswered(
    () => fetch(address),
    ({ status }) => status,
  )
  assert.equal(reply.status, 200, address)
  return reply.text()
}

/** Asks until the reply is no longer 503: a busy machine sheds requests, and may need long to make the index of a search. */
async function onceAnswered<Reply>(ask: () => Promise<Reply>, statusOf: (reply: Reply) => number): Promise<Reply> {
  let reply = await ask()
  await until(async () => {
    if (statusOf(reply) === 503) reply = await ask()
    return statusOf(reply) !== 503
  }, 1000)
  return reply
}

/** The number of vectors that are pages of the guide whose names and descriptions are also vectors. */
const COVERED = 20

/** The project that has a vector as a page. Each has few pages, so that a page is not mostly navigation. */
function partOf(at: number): string {
  return `part-${at % 20}`
}

/** A guide in which each vector is the text, the title and the description of a page, and the name of everything named. */
async function hostileGuide() {
  const temporary = await temporaryStore()
  const names = XSS_VECTORS.map(vector => vector.replace(/[\p{Cc}\u2028]/gu, ' ').trim())
  const quoted = names.map(name => JSON.stringify(name))
  const pages = XSS_VECTORS.flatMap((vector, at): [string, string][] => {
    const head = `title: ${quoted[at]}\ndescription: ${quoted[at]}\n`
    const text = `${vector}\n\nAfter ${at}.\n`
    const covered = `---\n${head}${hostileCover(at)}---\n${text}`
    return [
      [`${partOf(at)}/pages/v${at}.md`, `---\n${head}---\n${text}`],
      ...(at < COVERED ? [[`hostile/pages/v${at}.md`, covered] satisfies [string, string]] : []),
    ]
  })
  const parts = new Set(XSS_VECTORS.map((_, at) => partOf(at)))
  const files = names
    .filter(name => !name.includes('/') && Buffer.byteLength(name) < 200)
    .map((name, at): [string, string] => {
      const folder = at % 4 === 0 ? `${name}/` : ''
      return [`hostile/files/${folder}${at} ${name}.svg`, `<svg ${SVG}></svg>`]
    })
  const hostile = SVG_FILES.map((svg, at): [string, string] => [`hostile/files/hostile-${at}.svg`, svg])
  const { findings } = await temporary.importing('acme', {
    'workspace.yaml': `name: ${quoted[0]}\n`,
    ...Object.fromEntries(
      Array.from(parts, part => [`${part}/project.yaml`, `name: ${quoted[0]}\nvisibility: public\n`]),
    ),
    'hostile/project.yaml': `name: ${quoted[0]}\nvisibility: public\n${HOSTILE_THEME}`,
    'hostile/styles/colors.yaml': quoted
      .map((name, at) => {
        const notes =
          at % 4 === 0 ? `group: ${name.length < 190 ? name : 'x'}, proportion: 1` : `tintOf: c${at - (at % 4)}`
        return `- { id: c${at}, name: ${name}, hex: "1d70b8", use: ${name}, "on": [c${at === 0 ? 1 : 0}], ${notes} }\n`
      })
      .join(''),
    'hostile/pages/cards.md': names.map((name, at) => cardsWith(name, at)).join(''),
    'hostile/styles/types.yaml': quoted
      .map((name, at) => `- { id: t${at}, name: ${name}, family: ${name.length < 190 ? name : 'x'} }\n`)
      .join(''),
    'hostile/files/files.yaml': hostile
      .map(([path], at) => `${path.slice(14)}: { description: ${quoted[at]}, title: ${quoted[at]} }\n`)
      .join(''),
    'hostile/files/hostile.js': SCRIPT,
    ...Object.fromEntries([...pages, ...files, ...hostile, ...(await hostileFonts(names))]),
  })
  const unexpected = findings.filter(({ severity }) => severity === 'error')
  assert.deepEqual(unexpected, [])
  for (const project of ['hostile', ...parts]) await temporary.publish(`acme/${project}`)
  return temporary
}

/** Links that stand alone, each with a vector as its text or title. */
function cardsWith(name: string, at: number): string {
  const text = name.replace(/[[\]\\]/g, '\\$&')
  const title = JSON.stringify(name)
  const to = [
    `../styles/colors.yaml#c${at}`,
    `../styles/types.yaml#t${at}`,
    `v${at % COVERED}.md`,
    `../files/hostile-${at % 8}.svg`,
  ]
  return `[${text}](${to[at % 4]})\n\n[x](../files/ ${title})\n\n- [${text}](../styles/colors.yaml#c${at}) 4 %\n\n`
}

/** A theme of things whose names and contents are vectors. */
const HOSTILE_THEME =
  'theme: { logo: files/hostile-0.svg, logoDark: files/hostile-1.svg, icon: files/hostile-2.svg, accent: c0, ground: c1, text: c2, heading: t0, body: t9 }\nsocialImage: files/hostile-3.svg\n'

function hostileCover(at: number): string {
  return `cover: ../files/hostile-${at % SVG_FILES.length}.svg\nground: c${at}\nwide: true\n`
}

/** Fonts whose own names are vectors. */
async function hostileFonts(names: readonly string[]): Promise<[string, Uint8Array][]> {
  const woff = new URL(import.meta.resolve('@ibm/plex-sans/fonts/complete/woff/IBMPlexSans-Regular.woff'))
  const tables = tablesOf(await readFile(woff))
  const families = [
    '"}body{display:none}</style><script>alert(1)</script>',
    "'); src: url(//evil.example/",
    ...names.slice(0, 20),
  ]
  return families.map((family, at) => {
    const name = nameTable([
      [3, 0x409, 1, family],
      [3, 0x409, 2, family],
    ])
    return [`hostile/files/font-${at}.ttf`, sfnt(new Map([...tables, ['name', name]]))]
  })
}

/** Does to a page what a reader might: every event on every element, and a look at where links lead. */
const PROVOKE = `for (const element of document.querySelectorAll('*')) {
  for (const { name } of element.attributes)
    if (name.startsWith('on')) console.log('an event handler remains: ' + element.outerHTML.slice(0, 200))
  if (element.href && element.protocol && !/^(https?|mailto):$/.test(element.protocol))
    console.log('a link has the address ' + element.href)
  for (const name of ['click', 'error', 'focus', 'load', 'mouseover', 'toggle'])
    element.dispatchEvent(new Event(name))
}`

/** The complaints, except those about missing pictures that vectors request. */
function ran(complaints: readonly string[]): string[] {
  return complaints.filter(complaint => !complaint.startsWith('console: Failed to load resource'))
}
