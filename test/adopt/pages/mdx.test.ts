import assert from 'node:assert/strict'
import test from 'node:test'
import { convertMarkdown } from '#adopt/pages/convert-page.ts'
import { insertIncludes } from '#adopt/pages/includes.ts'
import { mdx } from '#adopt/pages/mdx.ts'
import { applyEdits, lineCounter } from '#platform/base/text.ts'

const FACTS = { baseUrl: '', variables: new Map() }
const INCLUDES = new Map([['docs/_space.mdx', 'Keep <b>one</b> unit.\n']])

function converted(text: string, kind: 'md' | 'mdx' = 'mdx') {
  const task = { path: 'docs/a.mdx', shownPath: 'docs/a.mdx', kind, facts: FACTS, includes: INCLUDES }
  const whole = applyEdits(text, insertIncludes(text, task).edits)
  const [page, lineOf] = [mdx(whole, task), lineCounter(whole)]
  const notes = page.notes.map(note => ({ ...note, line: lineOf(note.at) }))
  const lost = notes.flatMap(note => ('text' in note ? [`${note.line} ${note.what}: ${note.text}`] : []))
  return { text: applyEdits(whole, page.edits).trim(), lost, notes }
}

/** Pages whose words are all kept, and what they become. */
const KEPT: Readonly<Record<string, readonly [source: string, expected: string]>> = {
  'an imported picture': [
    'import logo from \'./logo.svg\'\nimport Mark from \'@site/static/mark.svg\'\n\n<img src={logo} alt="Logo" width="20" />\n\n<Mark title="Mark" />',
    '![Logo](./logo.svg)\n\n![Mark](/@site/static/mark.svg "Mark")',
  ],
  'a picture whose address a function gives, with its caption': [
    '<Figure src={useBaseUrl(\'/img/a b.png\')} caption="On paper" />\n<Image image={require("./c.png").default}>\n  In use\n</Image>',
    '![On paper](</img/a b.png> "On paper")\n\n![In use](./c.png "In use")',
  ],
  'a picture and the caption after it': [
    '<Box as="figure">\n  <img src="a.png" alt="A" />\n  <Caption color="grey">\n    The mark\n  </Caption>\n</Box>',
    '![A](a.png "The mark")',
  ],
  'a picture for light and dark pages': [
    "<ThemedImage alt=\"A\" sources={{light: useBaseUrl('/l.svg'), dark: useBaseUrl('/d.svg')}} />",
    '![A](/l.svg#gh-light-mode-only)\n![A](/d.svg#gh-dark-mode-only)',
  ],
  'a card with a link, and its content without indentation': [
    '<Card title="Colours" href="/colours" description="All of *them*">\n    Read on.\n\n    - one\n      - two\n</Card>',
    '[Colours](/colours)\n\nAll of *them*\n\nRead on.\n\n- one\n  - two',
  ],
  'words of a button and a link, and examples by their props': [
    '<Button to="/get">Get the *kit*</Button>\n\n<Hero ctaText="Start" ctaLink="/go" backgroundImage="b.png" />\n\n<Example good><Img src="g.png" alt="G" /></Example>',
    '[Get the *kit*](/get)\n\n![](b.png)\n\n[Start](/go)\n\n![G](g.png "Do")',
  ],
  'files in a list': [
    '<Asset title="Mark" previewSrc="/m.png" downloadable={[{title: "PNG", src: "/m 1.png"}, {title: \'SVG\', src: "/m.svg"}]} />',
    '![Mark](/m.png "Mark")\n\n- [PNG](</m 1.png>)\n- [SVG](/m.svg)',
  ],
  'a constant with pictures': [
    "export const shots = [\n  {src: '/1.png', img: require('/1.png')},\n\n  {src: '/2.png'},\n]\n\n<Grid images={shots} cols={2} />",
    '![](/1.png)\n![](/2.png)',
  ],
  tabs: [
    '## Logos\n\n<Tabs>\n  <TabItem value="a" label="Print">\n    For print.\n  </TabItem>\n  <TabItem value="b" label="Web">For the web.</TabItem>\n</Tabs>',
    '## Logos\n\n### Print\n\nFor print.\n\n### Web\n\nFor the web.',
  ],
  'notes, also in a quotation': [
    '<Callout type="warning" title="Careful">\n  Never **stretch** it.\n\n  - a\n</Callout>\n\n> <Note>\n>   Two\n>\n>   lines\n> </Note>',
    '> [!WARNING]\n> **Careful**\n>\n> Never **stretch** it.\n>\n> - a\n\n> > [!NOTE]\n> > Two\n> >\n> > lines',
  ],
  'pictures to follow and to avoid': [
    '<Do>First</Do>\n\nText\n\n<Both>\n  <Do>\n    <img src="a.png" alt="" />\n    <Caption>Leave space</Caption>\n  </Do>\n  <Dont>\n    <img src="b.png" alt="" />\n    <Caption>Crowd it</Caption>\n  </Dont>\n</Both>\n\n<DoDont type="dont"><Img src="c.png" alt="c" /></DoDont>',
    '| Do | Don\'t |\n| --- | --- |\n| First |  |\n\nText\n\n![Leave space](a.png "Do: Leave space")\n![Crowd it](b.png "Don\'t: Crowd it")\n![c](c.png "Don\'t")',
  ],
  'pictures of other sites, which the website shows as links': [
    '<Photo src="https://x.example/a.png" caption="In print" alt="A" />\n\n<Do><img src="https://x.example/a.png" alt="A" /></Do>',
    "![A](https://x.example/a.png)<br>In print\n\n| Do | Don't |\n| --- | --- |\n| ![A](https://x.example/a.png) |  |",
  ],
  'rules to follow and to avoid': [
    '<Do>Write **plainly**.</Do>\n<Dont>\n\n- Use jargon\n- Shout\n\n</Dont>\n\n<Rule doText="Yes" dontText="No | never" />',
    "| Do | Don't |\n| --- | --- |\n| Write **plainly**. | <ul><li>Use jargon</li><li>Shout</li></ul> |\n\n| Do | Don't |\n| --- | --- |\n| Yes | No \\| never |",
  ],
  'colours, with print values as they are written': [
    '<ColorCard name="Ink" hex="#112233" cmyk="80/60/40/20" pantone="539 C" />\n<ColorCard name="Sky" hex="#88CCFF" />',
    '| Name | Hex | CMYK | Pantone |\n| --- | --- | --- | --- |\n| Ink | #112233 | 80/60/40/20 | 539 C |\n| Sky | #88CCFF |  |  |',
  ],
  'colours in a list, and pairs of a name and a value': [
    '<Swatches swatches={[{color: "#602651", name: "Plum"}]} />\n\n<ColorCard title="Black" variables={[{name: "Hex", value: "#000"}, {name: "RGB", value: "0, 0, 0"}]} />',
    '| Name | Hex | RGB |\n| --- | --- | --- |\n| Plum | #602651 |  |\n| Black | #000 | 0, 0, 0 |',
  ],
  'HTML in the spelling of JSX': [
    '<div className="row" style={{gap: 3}}>\n  <h2>Sizes</h2>\n  <p>Press <kbd className="key">K</kbd>.<br/>Then <a href="/x">go</a>.</p>\n</div>\n\n<table>\n  <tr><td colSpan={2}>**A**</td></tr>\n</table>',
    '## Sizes\n\nPress <kbd>K</kbd>.<br>Then [go](/x).\n\n<table>\n\n<tr>\n\n<td colspan="2">\n\n**A**\n\n</td>\n\n</tr>\n\n</table>',
  ],
  'an imported text, constants and elements in a sentence': [
    "import Space from './_space.mdx'\nexport const brand = 'Northwind'\n\n<Space />\n\n{brand} is{' '}<Badge text=\"new\" /> and <Link to=\"/x\">here</Link>.",
    'Keep <b>one</b> unit.\n\nNorthwind is new and [here](/x).',
  ],
  'a picture in an element that has its caption, and one before it': [
    '<Frame caption="On paper">\n  <img src="a.png" alt="A" />\n</Frame>\n\n![B](b.png)\n\n<Caption>On\n  screen</Caption>\n\n<figure>\n\n![C](c.png)\n\n<figcaption>In **gold**</figcaption>\n</figure>',
    '![A](a.png "On paper")\n\n![B](b.png "On screen")\n\n![C](c.png)<br>In **gold**',
  ],
  'pictures that other spellings import': [
    'import { ReactComponent as Star } from \'./s.svg\'\nimport all, { mark } from \'./m.png\'\n\n<Star title="Star" />\n\n<Img {...mark} alt="M" />\n\n<img src={new URL(\'./u.png\', import.meta.url).href} />\n\n<a href="/x.zip"><img src={mark.src} /></a>',
    '![Star](./s.svg "Star")\n\n![M](./m.png)\n\n![](./u.png)\n\n[![](./m.png)](/x.zip)',
  ],
  'pictures of HTML by colour scheme': [
    '<picture>\n  <source media="(prefers-color-scheme: dark)" srcSet="d.svg" />\n  <img src="l.svg" alt="A" />\n</picture>',
    '<picture>\n\n<source media="(prefers-color-scheme: dark)" srcset="d.svg">\n\n<img src="l.svg" alt="A">\n\n</picture>',
  ],
  'examples in columns, which say only what is not to do': [
    '<Row>\n<Column lg={4}>\n<DoDont caption="Keep space">\n\n![A](a.png)\n\n</DoDont>\n</Column>\n<Column lg={4}>\n<DoDont type="dont" caption="Crowd it">\n\n![B](b.png)\n\n</DoDont>\n</Column>\n</Row>',
    '![A](a.png "Do: Keep space")\n![B](b.png "Don\'t: Crowd it")',
  ],
  'rules by the words in names, props and pairs': [
    '<UsageUse>A</UsageUse>\n<UsageDontUse>B</UsageDontUse>\n\nText\n\n<Rule isDo={false}>C</Rule>\n\n<Pair do={{image: "d.png", caption: "D"}} dont={["E", "F"]} />\n\n<Do title="Do" body="G" preview={false} />',
    "| Do | Don't |\n| --- | --- |\n| A | B |\n\nText\n\n| Do | Don't |\n| --- | --- |\n|  | C |\n\n| Do | Don't |\n| --- | --- |\n| ![D](d.png \"D\") | <ul><li>E</li><li>F</li></ul> |\n| G |  |",
  ],
  'colours by name, with a name inside and with a title': [
    '<ColorItem title="Greys" colors={{White: "#fff", Slate: "#abcdef"}} />\n\n<Swatch color="rgb(1, 2, 3)">Night</Swatch>',
    '**Greys**\n\n| Name | Hex | RGB |\n| --- | --- | --- |\n| White | #fff |  |\n| Slate | #abcdef |  |\n| Night |  | rgb(1, 2, 3) |',
  ],
  'named values in a prop, a template and braces': [
    'export const brand = "Northwind"\n\n<Anatomy web={{image: "w.svg", parts: [{name: "Mark", description: "On the left"}]}} />\n\n{`$' +
      '{brand} says`} {"{"}x{"}"}',
    '![](w.svg)\n\n- **Mark**: On the left\n\nNorthwind says {x}',
  ],
  'a table made of elements, with one that reaches over others': [
    '<Table>\n  <thead>\n    <tr>\n      <Th>Say</Th>\n      <Th>Not</Th>\n    </tr>\n  </thead>\n  <Tbody>\n    <Tr><Td>a | b</Td><Td><a href="/x">c</a></Td></Tr>\n  </Tbody>\n</Table>\n\n<table><tr><th rowSpan={2}>A</th></tr></table>',
    '| Say | Not |\n| --- | --- |\n| a \\| b | [c](/x) |\n\n<table><tr><th rowspan="2">A</th></tr></table>',
  ],
  'a part that opens, and pictures that props tell apart': [
    '<Accordion title="More">\n\nText\n\n</Accordion>\n\n<Pair title-start="A" image-start="/a.svg" title-end="B" image-end="/b.svg" :is-dark-end="true" />',
    '<details>\n<summary>More</summary>\n\nText\n\n</details>\n\n![A](/a.svg "A")\n\n![B](/b.svg "B")',
  ],
  'headings with ids in several spellings': [
    '## A {#a}\n\n## B { #b }\n\n## C {/* #c */}\n\n<Badge text="x" />',
    '## A {#a}\n\n## B { #b }\n\n## C {/* #c */}\n\nx',
  ],
  'code, comments of HTML and signs': [
    'a <7 and `<Card title="x" />`\n\n<!-- note -->\n\n```jsx\nimport x from "y"\n<Card title="x" />\n```\n\n<https://x.example>',
    'a <7 and `<Card title="x" />`\n\n<!-- note -->\n\n```jsx\nimport x from "y"\n<Card title="x" />\n```\n\n<https://x.example>',
  ],
}

test('elements of MDX become Markdown with all that they say', () => {
  for (const [name, [source, expected]] of Object.entries(KEPT)) {
    const { text, lost } = converted(source)
    assert.deepEqual({ name, text, lost }, { name, text: expected, lost: [] })
  }
})

test('what an element, an expression or an export says in another way is lost with its words and its line', () => {
  const source =
    'export const meta = {\n  draft: "words"\n}\n\n<Photo src="a.png" alt="A"\n  credits="Jane" mb={3} onClick={() => 1} />\n\n{/* secret */}\n\nBy {props.author}\n\n<Chart data={rows} />\n\n<iframe src="https://x.example" title="Film" />\n'
  const { text, lost } = converted(source)
  assert.equal(text.replace(/\s*\n\s*/g, '\n'), '![A](a.png)\nBy')
  assert.deepEqual(lost, [
    '1 export: export const meta = {\n  draft: "words"\n}',
    '6 <Photo>: credits="Jane"',
    '8 comment: {/* secret */}',
    '10 expression: {props.author}',
    '12 <Chart>: <Chart data={rows} />',
    '14 <iframe>: <iframe src="https://x.example" title="Film" />',
  ])
})

test('what is no MDX on a page stays, and all else on the page is converted', () => {
  const source = '## Logo {#mark}\n\n<Card title="a">\n\n<Box>**Text** {x</Box>\n\n<Note>A</Note>\n'
  const { text, lost, notes } = converted(source)
  assert.equal(text, '## Logo {#mark}\n\n<Card title="a">\n\n**Text** {x\n\n> [!NOTE]\n> A')
  const stays = notes.flatMap(note => (note.what === 'MDX' && 'became' in note ? [`${note.line} ${note.became}`] : []))
  assert.deepEqual([stays, lost], [['3 the text as it is', '5 the text as it is'], []])
})

test('Markdown with elements is converted, but not its braces, its HTML and the placeholders in it', () => {
  const source = '<b class="x">Hi {name}</b> <Badge text="new" />\n\n    <Code/>\n'
  assert.equal(converted(source, 'md').text, '<b class="x">Hi {name}</b> new\n\n    <Code/>')
  const placeholder = 'git clone <YourName> {x}\n'
  assert.equal(converted(placeholder, 'md').text, placeholder.trim())
  const imported = 'import a from \'./a.svg\'\n\n<Card title="A" image={a} />\n'
  assert.equal(converted(imported, 'md').text, '![A](./a.svg "A")')
})

test('custom elements of Markdown and what Vue binds are read, and what no literal says is lost', () => {
  const source =
    '<div>\n    <colour-swatch colour="#114455" name="Kelp"></colour-swatch>\n</div>\n\n<Mark :src="$withBase(\'/b.svg\')" v-bind:caption="\'On sand\'" :note="words" @click="go" />'
  const { text, lost } = converted(source, 'md')
  assert.equal(
    text.replace(/\n\s*\n/g, '\n'),
    '<div>\n    | Name | Hex |\n    | --- | --- |\n    | Kelp | #114455 |\n</div>\n![On sand](/b.svg "On sand")',
  )
  assert.deepEqual(lost, ['5 <Mark>: :note="words"'])
})

test('an element named Aside is a note of its type, and no aside of Notion', () => {
  const task = { path: 'a.mdx', shownPath: 'a.mdx', kind: 'mdx' as const, facts: FACTS, includes: new Map() }
  const { text, notes } = convertMarkdown('<Aside type="caution" title="Mind">Space</Aside>\n', task)
  assert.deepEqual([text.trim(), notes.lost], ['> [!CAUTION]\n> **Mind**\n>\n> Space', []])
})
