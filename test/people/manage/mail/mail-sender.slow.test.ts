import assert from 'node:assert/strict'
import test from 'node:test'
import { dayOf } from '#brand/file.ts'
import { mailOutbox } from '#people/manage/mail/mail-sender.ts'
import type { Mail } from '#platform/outgoing/smtp.ts'
import { openMetrics } from '#platform/telemetry/metrics.ts'
import { unwrap } from '#program/cli/failure.ts'
import { noticeRecorder } from '#publishing/notices.ts'
import { review } from '#publishing/review.ts'
import { endSessions } from '#serving/access/session/signins.ts'
import { wordsFor } from '#site/words/words.ts'
import { MAIL_KINDS, type MailKind, saveMailChoice } from '#store/access/mail.ts'
import { allowIssuer } from '../../../support/people-service.ts'
import { silent } from '../../../support/service.ts'
import { accessTo, publishedStore, seenDraft, type TemporaryStore } from '../../../support/temporary-store.ts'
import { until } from '../../../support/until.ts'

const GUIDE = { workspace: 'acme', project: 'guide' }
const MINUTE_MS = 60_000
/** The time of all events. */
const NOW = new Date()

/** A published guide of which Ada, who manages it, gets mail of some kinds. */
async function setup({ kinds = MAIL_KINDS, lang = 'en' }: { kinds?: readonly MailKind[]; lang?: string } = {}) {
  const temporary = await publishedStore('acme/guide', { 'guide/pages/index.md': '# One\n' })
  const signin = await allowIssuer(temporary, 'https://login.example.com')
  const ada = { workspace: 'acme', subject: 'ada', signin, email: 'ada@example.com', lang, kinds }
  const choose = (changes: object) =>
    temporary.store.database.transaction(queries =>
      saveMailChoice(queries, {
        ...ada,
        rights: { drafts: true, manages: {} },
        seenAt: NOW,
        chosenAt: NOW,
        ...changes,
      }),
    )
  await choose({})
  const draft = (text: string) => temporary.importing('acme', { 'guide/pages/index.md': `# ${text}\n` }, NOW)
  return { temporary, choose, draft, signin }
}

type Options = { afterMs?: number; send?: (mail: Mail) => Promise<void>; logged?: object[] }

/** Sends everything that is due after a time, and returns it. */
async function sendAll(
  { store }: TemporaryStore,
  { afterMs = MINUTE_MS, send, logged }: Options = {},
): Promise<Mail[]> {
  const { database, identity } = store
  const clock = NOW.getTime() + afterMs
  const sent: Mail[] = []
  const outbox = mailOutbox({
    database,
    identity,
    publicUrl: 'https://brand.test/of',
    clock: () => clock,
    mailer: { check: () => Promise.resolve(), send: send ?? (async mail => void sent.push(mail)) },
    log: { ...silent, warn: fields => void logged?.push(fields) },
    metrics: openMetrics(),
    reporter: () => ({ failed: error => assert.fail(String(error)), worked: () => undefined }),
    random: () => 0,
  })
  await until(async () => (await database.all('SELECT id FROM mail WHERE next_at <= ?', clock)).length === 0)
  await outbox.stop()
  return sent
}

/** Answers about the draft as somebody who is signed in. */
async function answer({ store }: TemporaryStore, who: string, comment: string, kind: 'approve' | 'ask' = 'ask') {
  const given = {
    reviewer: who.toLowerCase(),
    who,
    isSignedIn: true,
    answer: kind,
    comment,
    ...(await seenDraft(store)),
  }
  unwrap(await review(store, GUIDE, given, NOW))
}

test('a draft that waits is one mail with its guide, the way to it, and the way to change or end such mail', async () => {
  const { temporary, draft, signin } = await setup()
  await draft('Two')
  const [mail, ...others] = await sendAll(temporary)
  assert.deepEqual(others, [])
  assert.ok(mail)
  const { subject, from, to, text, html, unsubscribe } = mail
  assert.deepEqual([subject, from, to], ['guide: a draft is waiting', 'acme', 'ada@example.com'])
  const open = `https://brand.test/of/-/signin?workspace=acme&with=${signin}&return=%2Fof%2Facme%2Fguide%2F-%2Fmanage`
  assert.equal(
    text,
    `A draft of guide is waiting for you.

Changed: Two

See the draft: ${open}

-- 
You get this mail because you asked for it. Change or end it: ${unsubscribe}
`,
  )
  assert.match(unsubscribe, /^https:\/\/brand\.test\/of\/acme\/-\/manage\/mail\?of=ada&stop=[\w-]{43}$/)
  assert.ok(html.includes(`<a href="${open.replaceAll('&', '&#38;')}">See the draft</a>`))
  assert.deepEqual(await sendAll(temporary), [], 'a mail is sent once')
})

test('a mail about a draft has the names of its changes, up to a limit', async () => {
  const { temporary } = await setup()
  const pages = Array.from({ length: 12 }, (_, at) => [`guide/pages/p${at}.md`, `# Page ${at}\n`])
  await temporary.importing('acme', { 'guide/styles/colors.yaml': '- name: Red\n  hex: "#f00"\n' }, NOW)
  await temporary.publish('acme/guide')
  const files = {
    'guide/pages/index.md': '# One\nMore\n',
    'guide/styles/colors.yaml': '[]\n',
    ...Object.fromEntries(pages),
  }
  await temporary.importing('acme', files, NOW)
  const [mail] = await sendAll(temporary)
  const named = Array.from({ length: 10 }, (_, at) => `Page ${[0, 1, 10, 11, 2, 3, 4, 5, 6, 7][at]}`)
  assert.match(mail?.text ?? '', new RegExp(`\n\nNew: ${named.join(', ')} and 2 more\nChanged: One\nRemoved: Red\n\n`))
})

test('a burst of imports is one mail, which waits until the burst is over', async () => {
  const { temporary, draft } = await setup()
  for (const text of ['Two', 'Three', 'Four']) await draft(text)
  assert.deepEqual(await sendAll(temporary, { afterMs: 0 }), [])
  assert.equal((await sendAll(temporary)).length, 1)
  await draft('Five')
  assert.equal((await sendAll(temporary)).length, 1)
})

const SILENT: Readonly<Record<string, (made: Awaited<ReturnType<typeof setup>>) => Promise<unknown>>> = {
  'a draft that was published meanwhile': ({ temporary }) => temporary.publish('acme/guide'),
  'a person who wants no such mail': ({ choose }) => choose({ kinds: ['answer', 'failed'] }),
  'a person who manages another guide': ({ choose }) =>
    choose({ rights: { drafts: false, manages: { projects: [{ project: 'other', instance: 'x' }] } } }),
  'a person who only sees drafts': ({ choose }) => choose({ rights: { drafts: true } }),
  'a person who was away for long': ({ choose }) =>
    choose({ seenAt: new Date(NOW.getTime() - 91 * 24 * 60 * MINUTE_MS) }),
  'a person whose sessions a manager has ended': ({ temporary }) =>
    endSessions(accessTo(temporary.store), { email: 'ada@example.com' }, new Date()),
}

for (const [name, change] of Object.entries(SILENT))
  test(`there is no mail for ${name}`, async () => {
    const made = await setup()
    await made.draft('Two')
    await change(made)
    assert.deepEqual(await sendAll(made.temporary), [])
  })

for (const [reviewers, count] of [
  ['[ada@example.com]', 1],
  ['[ben@example.com]', 0],
  ['2', 1],
] as const)
  test(`with reviewers: ${reviewers}, a person who only sees drafts gets ${count} mails about one`, async () => {
    const { temporary, choose } = await setup()
    await choose({ rights: { drafts: true } })
    const settings = `name: Guide\npublishing:\n  reviewers: ${reviewers}\n`
    await temporary.importing('acme', { 'guide/project.yaml': settings }, NOW)
    const sent = await sendAll(temporary)
    assert.equal(sent.length, count)
    for (const { text } of sent) assert.match(text, /return=%2Fof%2Facme%2Fguide%2F-%2Fdraft%2F-%2Fchanges\n/)
  })

test('answers since the mail was due are in one mail with their comments, in the language of its reader', async () => {
  const { temporary, draft } = await setup({ kinds: ['answer'], lang: 'de' })
  await draft('Two')
  await answer(temporary, 'Ben', 'Nice.', 'approve')
  await answer(temporary, 'Eve', 'Fix the\r\nlogo.\u202e')
  const [mail, ...others] = await sendAll(temporary)
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, 'guide: Es gibt eine Antwort')
  assert.match(mail.text, /Eve.*\n\n> Fix the\n> logo\.\n/)
  assert.match(mail.text, /Ben.*\n\n> Nice\.\n/)
  assert.match(mail.html, /<html lang="de" dir="ltr">/)
  await answer(temporary, 'Ada', 'My own')
  assert.deepEqual(await sendAll(temporary), [])
})

test('the text of somebody else stands quoted in a mail, so that it does not read as one of the service', async () => {
  const { temporary, draft } = await setup({ kinds: ['answer', 'draft'] })
  await draft('Two')
  await temporary.store.database.transaction(queries =>
    queries.run('UPDATE project SET draft_note = ?', 'Note\u2028See the draft: https://evil.example'),
  )
  await answer(
    temporary,
    'Eve\n\nOpen https://evil.example',
    'Fine.\r\rOpen the guide:\u2029\nhttps://evil.example\n-- \n<b>',
  )
  const mails = await sendAll(temporary)
  assert.equal(mails.length, 2)
  for (const { text, html } of mails) {
    const evil = text.split('\n').filter(line => line.includes('evil.example') && !line.startsWith('> '))
    assert.ok(
      evil.every(line => line.startsWith('Changes requested by Eve Open https://evil.example, ')),
      `${evil}`,
    )
    assert.match(html, /<blockquote [^>]*>[^<]*https:\/\/evil\.example[^<]*<\/blockquote>/)
  }
  const said = mails.find(({ text }) => text.includes('Fine.'))?.text
  assert.match(`${said}`, /\n\n> Fine\.\n> \n> Open the guide:\n> \n> https:\/\/evil\.example\n> -- \n> <b>\n\n/)
})

test('an import with an error is one mail until the problem is another one, or solved', async () => {
  const { temporary } = await setup()
  const broken = (text: string) => temporary.importing('acme', { 'guide/styles/colors.yaml': text }, NOW)
  await broken('- name: Red\n  hex: red\n')
  const [mail] = await sendAll(temporary)
  assert.equal(mail?.subject, 'guide: a publication failed')
  assert.match(mail.text, /^guide could not be published, because of this problem:\n\nguide\/styles\/colors\.yaml:2 /)
  await broken('- name: Red\n  hex: red\n')
  assert.deepEqual(await sendAll(temporary), [])
  await broken('- name: Red\n  hex: reddish\n')
  await broken('- name: Red\n  hex: "#f00"\n')
  const [next, ...others] = await sendAll(temporary)
  assert.deepEqual([next?.subject, others], ['guide: a draft is waiting', []])
})

test('files whose rights end soon are one mail with their last days, each file once', async () => {
  const { temporary } = await setup({ kinds: ['rights'] })
  const { store } = temporary
  const dayIn = (days: number) => dayOf(new Date(NOW.getTime() + days * 24 * 60 * MINUTE_MS))
  const publish = (untils: Readonly<Record<string, string>>) =>
    temporary.publishing('acme/guide', {
      ...Object.fromEntries(Object.keys(untils).map(path => [`guide/files/${path}`, `${path}\n`])),
      'guide/files/files.yaml': Object.entries(untils)
        .map(([path, day]) => `${path}: { until: ${day} }\n`)
        .join(''),
    })
  const look = noticeRecorder({ ...store, clock: { ...store.clock, date: () => NOW } })
  const many = Object.fromEntries(Array.from({ length: 110 }, (_, at) => [`m/${at}.txt`, dayIn(20)]))
  await publish({ 'b.txt': dayIn(5), 'a.txt': dayIn(30), 'far.txt': dayIn(31), 'over.txt': dayIn(-1), ...many })
  await look()
  await look()
  const [mail, ...others] = await sendAll(temporary)
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, 'guide: rights to files end soon')
  const { day } = wordsFor('en')
  const said = mail.text.split('\n').slice(0, 14)
  assert.equal(said[0], 'The rights to these files of guide end soon:')
  assert.equal(said[2], `files/b.txt: Until ${day(new Date(dayIn(5)))}`)
  assert.equal(said[3], `files/m/0.txt: Until ${day(new Date(dayIn(20)))}`)
  assert.deepEqual(said.slice(12), ['and 102 more', ''])
  assert.match(mail.text, /Manage the guide: \S+%2Facme%2Fguide%2F-%2Fmanage\n/)
  const renewed = { 'b.txt': dayIn(6), 'a.txt': dayIn(30), 'c.txt': dayIn(3) }
  await publish({ ...renewed, 'd.txt': dayIn(2) })
  await look()
  await publish({ ...renewed, 'd.txt': dayIn(90), 'e.txt': dayIn(4) })
  await look()
  const [next, ...more] = await sendAll(temporary)
  assert.deepEqual(more, [])
  assert.match(
    next?.text ?? '',
    /soon:\n\nfiles\/c\.txt: [^\n]*\nfiles\/e\.txt: [^\n]*\nfiles\/b\.txt: [^\n]*\n\nManage/,
  )
  await look()
  assert.deepEqual(await sendAll(temporary), [])
})

test('a mail that could not be sent is due again later; the log and the store have no address', async () => {
  const { temporary, draft } = await setup()
  const logged: object[] = []
  await draft('Two')
  const fail = ({ to }: Mail) =>
    Promise.reject(Object.assign(new Error(`451 <${to}> later`), { code: 'EENVELOPE', responseCode: 451 }))
  await sendAll(temporary, { send: fail, logged })
  const rows = await temporary.store.database.all('SELECT * FROM mail')
  assert.match(JSON.stringify(logged), /EENVELOPE 451.*"reply":"451 <…> later"/)
  assert.doesNotMatch(JSON.stringify([rows, logged]), /ada@/)
  await draft('Three')
  assert.deepEqual(await sendAll(temporary, { afterMs: MINUTE_MS }), [], 'another event does not hurry')
  assert.equal((await sendAll(temporary, { afterMs: 10 * MINUTE_MS })).length, 1)
})

test('a mail that the server refuses for good is given up', async () => {
  const { temporary, draft } = await setup()
  await draft('Two')
  const refusal = { code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }
  await sendAll(temporary, { send: () => Promise.reject(Object.assign(new Error('no'), refusal)) })
  assert.deepEqual(await temporary.store.database.all('SELECT id FROM mail'), [])
})

test('of two services, one sends each mail', async () => {
  const { temporary, draft } = await setup()
  await draft('Two')
  const both = await Promise.all([sendAll(temporary), sendAll(temporary)])
  assert.equal(both.flat().length, 1)
})
