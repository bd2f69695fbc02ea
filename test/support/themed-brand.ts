import type { Contents } from './temporary.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"/>\n'

/** A guide without keys that only affect the website and exports. */
export const PLAIN_GUIDE: Contents = {
  'guide/project.yaml': 'name: Guide\n',
  'guide/pages/index.md': '---\ntitle: Welcome\n---\n# Welcome\n',
  'guide/styles/colors.yaml':
    '- {name: Ink, hex: "14212b"}\n- {name: Paper, hex: faf7f2}\n- {name: Mist, hex: c9d0d6}\n',
  'guide/styles/types.yaml': '- {name: Heading, size: 40}\n',
  'guide/files/mark.svg': SVG,
  'guide/files/mark-white.svg': SVG,
}

/** The same guide with all of these keys. */
export const THEMED_GUIDE: Contents = {
  ...PLAIN_GUIDE,
  'guide/project.yaml': `name: Guide
theme:
  logo: files/mark.svg
  logoDark: files/mark-white.svg
  icon: files/mark.svg
  accent: ink
  ground: paper
  text: ink
  heading: heading
  body: heading
  corners: soft
  dark: off
  download: files/mark.svg
socialImage: files/mark.svg
contact: brand@acme.example
footer: [{ name: Acme, url: https://acme.example }]
nav: sections
office: { major: Arial, minor: Georgia }
`,
  'guide/pages/index.md':
    '---\ntitle: Welcome\ncover: { image: ../files/mark.svg, focus: 70% 30%, fit: whole, text: dark }\nground: paper\nwide: true\nnav: Start\n---\n# Welcome\n',
  'guide/styles/colors.yaml':
    '- {name: Ink, hex: "14212b", group: Core, use: Text, on: paper, proportion: 20}\n- {name: Paper, hex: faf7f2}\n- {name: Mist, hex: c9d0d6, tintOf: ink}\n',
  'guide/styles/types.yaml':
    '- {name: Heading, size: 40, weight: 600, style: normal, fallback: Arial, sample: Sharp}\n',
  'guide/files/files.yaml':
    'mark-white.svg: { title: The white mark, ground: ink, variantOf: mark.svg, library: true, order: 2, medium: [print, screen], minWidth: 24, clearSpace: 0.5, clearSpaceOf: the letter, licence: CC BY 4.0, territory: Europe, until: 2099-11-29 }\n',
}
