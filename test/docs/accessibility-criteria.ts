/** A test that proves a line of the accessibility report; `…` in its title is a part that differs in a loop. */
export type Proof = { file: string; title: string }

/** The title of each proof by its file. */
const TITLES = {
  'test/website/quality.browser.slow.test.ts': {
    'axe-guide': 'axe finds nothing wrong on any kind of page, in light and dark colours',
    keyboard: 'a guide can be read with only the keyboard, in both colour schemes',
    fits: 'every page shows its content without overflowing the screen: …',
  },
  'test/website/composition.browser.slow.test.ts': {
    'axe-bands': 'axe finds nothing wrong on bands in … colours',
    slider: 'the slider of a comparison works by keyboard, and without script both show',
  },
  'test/people/manage/routes.accessible.browser.slow.test.ts': {
    'axe-manage':
      'pages of people with rights, and results of what they do, have no fault that axe knows, and fit at all widths, in both schemes: …',
  },
  'test/website/forms.browser.slow.test.ts': {
    enlarge: 'a picture is enlarged by a click or the keyboard, and gives the focus back',
    tabs: 'one tab is open at a time, by pointer and keyboard, and on paper all are',
  },
  'test/site/library/files/files-view.browser.slow.test.ts': {
    'files-keyboard': 'the keyboard is sufficient to use it',
  },
  'test/site/library/files/versions.browser.slow.test.ts': {
    'versions-keyboard': 'files can be chosen with the keyboard',
  },
  'test/people/manage/routes.browser.test.ts': {
    'manage-keyboard':
      'a person of a group that manages makes and ends a link, gets an approval, and publishes with a note, …',
  },
  'test/site/search/search.browser.test.ts': {
    'search-keyboard': 'shows results during typing, and opens them with only the keyboard',
    'search-announces': 'announces its role, the number of results and the choice to screen readers',
    'search-closes':
      'closes with Escape, when emptied and when it loses focus; Enter without a choice shows all results',
  },
  'test/site/library/colors/colors-view.browser.slow.test.ts': {
    'copy-announces': 'a click on a value or its button, or a key, copies it and announces that',
  },
  'test/site/layout/header.browser.slow.test.ts': {
    'sections-close': 'Escape closes the list of more sections, and its button has the focus',
    'theme-switch': 'the theme switch is an icon with a name at every width',
  },
  'test/site/layout/header.test.ts': {
    sections: 'sections are in the header, with the current one marked, and their pages in a bar below it',
  },
  'test/site/layout/layout.sidebar.browser.slow.test.ts': {
    'phone-menu': 'on a phone, the menu keeps logo and search in view, and closes with Escape',
  },
  'test/site/layout/layout.test.ts': {
    language: 'every word of the website on the pages of a guide is in the guide’s language',
    'english-marked': 'every English word on the pages of a guide in a language without a table is marked as English',
    footer: 'the footer of a page has the contact and the links of the guide',
  },
  'test/people/signin/people/answer.refused.test.ts': {
    'signin-language': 'pages of sign-in, and of unknown addresses, have the language that the browser prefers',
  },
  'test/people/signin/agents/consent/consent.test.ts': {
    'consent-language': 'a person who may see the guide gets the page in its language',
  },
  'test/site/workspace-page.test.ts': {
    'workspaces-language': 'the page at / is in the language that the reader prefers: “…” gets …',
  },
  'test/intake/files/files.test.ts': {
    descriptions:
      'a picture has the description in files.yaml, else the first alt text of a page, else the embedded one',
  },
  'test/site/pages/linked-media.browser.slow.test.ts': {
    captions:
      'a paragraph of only a link or picture of a video plays it, with the poster and captions of the same name',
    'loop-muted': 'with the title "loop", a video is muted, repeats, and has a button that only the script shows',
    'loop-pause': 'a looping video plays in view until it is paused, not with reduced motion',
    'picture-pause': 'a moving picture moves until it is paused, and not with reduced motion',
  },
  'test/people/editor/edit/new-guide.slow.test.ts': {
    'form-problems':
      'a taken or wrong address and a name with signs of Markdown make nothing, and the form keeps its text',
  },
  'test/people/signin/agents/agent-signin.browser.slow.test.ts': {
    'pasted-link':
      'in Chromium, the holder of a share link pastes it, cancels once, and then connects the official client',
  },
} as const

type Titles = typeof TITLES
export type ProofId = { [File in keyof Titles]: keyof Titles[File] }[keyof Titles]

export const PROOFS: ReadonlyMap<string, Proof> = new Map(
  Object.entries<Readonly<Record<string, string>>>(TITLES).flatMap(([file, titles]) =>
    Object.entries(titles).map(([id, title]) => [id, { file, title }]),
  ),
)

/** The judgement of one criterion: its level, a remark, and the tests that the level relies on. */
export type Judgement = { level: Level; remark: string; proofs: readonly ProofId[] }
type Level = 'supports' | 'partially-supports' | 'not-applicable' | 'not-evaluated'

const AXE = ['axe-guide', 'axe-manage'] as const

/** The judgement of each criterion of WCAG 2.2, levels A and AA, and of some clauses of EN 301 549. */
export const JUDGEMENTS: Readonly<Record<string, Judgement>> = {
  '1.1.1': partly('Pictures have a text alternative. Its quality depends on the authors.', [...AXE, 'descriptions']),
  '1.2.1': open('Authors provide alternatives to sounds and silent films as text on the page.'),
  '1.2.2': partly('A film has the captions that authors put next to it. Films without captions are not refused.', [
    'captions',
  ]),
  '1.2.3': open('There is no track for audio descriptions; authors describe films as text on the page.'),
  '1.2.4': irrelevant('The website has no live media.'),
  '1.2.5': open('There is no track for audio descriptions.'),
  '1.3.1': partly('Lists, tables and roles have valid markup. Whether it fits the meaning has not been judged.', AXE),
  '1.3.2': open('No test compares the order of the source with the order on the screen.'),
  '1.3.3': open('Only people can judge instructions.'),
  '1.3.4': open('No test turns a screen.'),
  '1.3.5': open('No test compares the purpose of fields with their `autocomplete`.'),
  '1.4.1': partly('Links in text differ from it by more than colour. Other uses of colour have not been judged.', AXE),
  '1.4.2': partly('Looping films are muted. HTML of authors has not been judged.', ['loop-muted', 'axe-guide']),
  '1.4.3': partly(
    'axe finds enough contrast of text in light and dark colours. It cannot judge text on pictures, and the card of a file that may no longer be used is pale, so a test leaves it out.',
    [...AXE, 'axe-bands'],
  ),
  '1.4.4': partly('At twice the size, pages of a guide show their content without a sideways scroll bar.', ['fits']),
  '1.4.5': open('Only people can judge whether a picture of text is essential.'),
  '1.4.10': partly('Pages fit a width of 360 pixels. The 320 pixels of the criterion are not tested on every page.', [
    'fits',
    'axe-manage',
  ]),
  '1.4.11': open('No test measures the contrast of controls and of the focus mark.'),
  '1.4.12': open('No test changes the spacing of text.'),
  '1.4.13': open('No test points at titles of controls.'),
  '2.1.1': partly('The named functions work by keyboard. No test lists every control.', [
    'keyboard',
    'search-keyboard',
    'enlarge',
    'tabs',
    'slider',
    'files-keyboard',
    'versions-keyboard',
    'manage-keyboard',
  ]),
  '2.1.2': partly(
    'The keyboard leaves the menu, the search and an enlarged picture. The player of the browser has not been tried.',
    ['keyboard', 'enlarge', 'search-closes', 'phone-menu'],
  ),
  '2.1.4': irrelevant('The only shortcut of the website, to the search, needs Ctrl or ⌘.'),
  '2.2.1': open(
    'Reading has no time limit. A sign-in ends after `--session-hours` or `--session-idle`, which readers cannot extend: this probably fails.',
  ),
  '2.2.2': partly('Looping films and moving pictures can be paused. Animated SVG is not covered.', [
    'loop-pause',
    'picture-pause',
  ]),
  '2.3.1': open('No test looks for flashes in films and pictures of authors.'),
  '2.4.1': proven(
    'axe finds a way past the navigation on each kind of page, and a test follows the first link of a page of a guide by keyboard.',
    [...AXE, 'keyboard'],
  ),
  '2.4.2': partly('Every kind of page has a title. Whether titles describe pages has not been judged.', AXE),
  '2.4.3': partly(
    'The focus returns to the control that opened a picture or a list. The whole order has not been judged.',
    ['enlarge', 'sections-close'],
  ),
  '2.4.4': partly('Every link has a name. Whether names state the purpose has not been judged.', AXE),
  '2.4.5': partly('Pages are in the navigation and in the search. Pages for managing are not in the search.', [
    'sections',
    'search-keyboard',
  ]),
  '2.4.6': open('Only people can judge how well headings and labels describe.'),
  '2.4.7': open('No test looks at the focus mark of each control.'),
  '2.4.11': open('No test measures whether the header covers the focus.'),
  '2.5.1': open('No test looks for gestures; the website has none of several fingers.'),
  '2.5.2': open('No test cancels a press.'),
  '2.5.3': partly('Names contain the visible words, as far as axe compares them.', AXE),
  '2.5.4': irrelevant('The website reads no sensor of motion.'),
  '2.5.7': open('A comparison uses the slider of the browser; no test moves it by a click without dragging.'),
  '2.5.8': open('axe does not measure the size of targets unless asked, and no other test measures all of them.'),
  '3.1.1': proven(
    'Every kind of page names a language. Pages of guides, of sign-in and of all workspaces have words in that language. Authors name the language of a guide.',
    [...AXE, 'language', 'signin-language', 'consent-language', 'workspaces-language'],
  ),
  '3.1.2': partly('English words of the website on pages in other languages are marked. Authors mark their own.', [
    'english-marked',
    'axe-guide',
  ]),
  '3.2.1': open('No test moves the focus through each control.'),
  '3.2.2': open('No test changes each control.'),
  '3.2.3': open('No test compares the order of the navigation on all pages.'),
  '3.2.4': open('Only people can judge whether controls with the same function have the same name.'),
  '3.2.6': partly('The contact of a guide is in the footer of its pages.', ['footer']),
  '3.3.1': partly('The page for a new guide describes what failed. Other forms have not been judged.', [
    'form-problems',
  ]),
  '3.3.2': partly('Fields have one label each. Its words have not been judged.', AXE),
  '3.3.3': open('Only people can judge suggestions.'),
  '3.3.4': open('A publication can be rolled back; no test treats this as the criterion does.'),
  '3.3.7': open('No test compares the steps of a process.'),
  '3.3.8': partly(
    'A share link can be pasted. People otherwise sign in at the issuer of their organisation, which this report does not cover.',
    ['pasted-link'],
  ),
  '4.1.1': irrelevant('WCAG 2.2 has removed this criterion.'),
  '4.1.2': partly('Controls have names, and valid roles and states.', [...AXE, 'search-announces', 'theme-switch']),
  '4.1.3': partly('The search, copied values and the results of forms are announced. Not every message is tested.', [
    'search-announces',
    'copy-announces',
    'axe-manage',
  ]),
  '7.1.1': partly('A film has a track of the captions that authors put next to it, for the player of the browser.', [
    'captions',
  ]),
  '11.8.2': open('The editor asks for the description of a picture; no test covers other content.'),
}

/** Chapters without lines, and the reason. */
export const OMITTED: Readonly<Record<string, string>> = {
  success_criteria_level_aaa: 'Not evaluated: no criterion of level AAA is claimed.',
  functional_performance_criteria: 'Not evaluated: the report is about WCAG and EN 301 549.',
  hardware: 'Not applicable: the product has no hardware.',
  software: 'Not evaluated: the report is about WCAG and EN 301 549.',
  support_documentation_and_services: 'Not evaluated: the report is about WCAG and EN 301 549.',
  en_301_549_functional_performance: 'Not evaluated: no person with a disability has used the product for this report.',
  en_301_549_generic_requirements:
    'Not evaluated as a whole; the product has no closed functionality and no biometrics.',
  'en_301_549_ict_with_two-way_voice': 'Not applicable: the product carries no voice.',
  en_301_549_hardware: 'Not applicable: the product has no hardware.',
  en_301_549_web:
    'The catalogue has no lines for this chapter, whose clauses 9.1 to 9.4 refer to the success criteria in tables 1 and 2.',
  'en_301_549_non-web-documents': 'Not evaluated: exported PDF and Office files.',
  en_301_549_documentation_and_support_services: 'Not evaluated: the documentation is Markdown.',
  en_301_549_ict_providing_relay_or_emergency_service_access: 'Not applicable: the product provides no such access.',
}

/** Where the report has the clauses of EN 301 549 V4.1.1, with those of V3.2.1 for the same subject. */
export const CLAUSES: readonly [clause: string, earlier: string, where: string][] = [
  [
    '4.2 Functional performance',
    '4.2',
    'Not evaluated: no person with a disability has used the product for this report.',
  ],
  ['5.1 to 5.9 Generic requirements', '5.1 to 5.9', 'Chapter 5.'],
  ['5.10 Authoring tools', '11.8', 'Chapter 11.'],
  ['6 Two-way voice', '6', 'Chapter 6.'],
  ['7 Video', '7', 'Chapter 7.'],
  ['8 Hardware', '8', 'Chapter 8.'],
  ['9.1 to 9.4 Web, levels A and AA', '9.1 to 9.4', 'Tables 1 and 2.'],
  ['9.5 Web, level AAA', '9.5', 'Table 3.'],
  ['9.6 Conformance to WCAG', '9.6', 'Not evaluated: the lines are about single criteria.'],
  ['9.7 User preferences', '11.7', 'Not evaluated.'],
  ['10 Non-web documents', '10', 'Chapter 10.'],
  ['11 Non-web software', '11', 'Not evaluated.'],
  ['12 Information about products', '12', 'Chapter 12.'],
  ['13 Relay and emergency services', '13', 'Chapter 13.'],
]

function proven(remark: string, proofs: readonly ProofId[]): Judgement {
  return { level: 'supports', remark, proofs }
}

function partly(remark: string, proofs: readonly ProofId[]): Judgement {
  return { level: 'partially-supports', remark, proofs }
}

function irrelevant(remark: string): Judgement {
  return { level: 'not-applicable', remark, proofs: [] }
}

function open(remark: string): Judgement {
  return { level: 'not-evaluated', remark, proofs: [] }
}
