import assert from 'node:assert/strict'
import test from 'node:test'
import type { PublicTargets } from '#platform/outgoing/public-targets.ts'
import { greetingName, openMailer, smtpAdvice, smtpProblem, smtpReply } from '#platform/outgoing/smtp.ts'
import { parseSmtpAddress } from '#platform/settings/shared-addresses.ts'
import { makeCertificate, OPENSSL, trustCertificate } from '../../support/certificate.ts'
import { freePort } from '../../support/free-port.ts'
import { startMailServer } from '../../support/mail-server.ts'

const MAIL = {
  id: 'one',
  from: 'Acme, <eve@example.com>',
  to: 'anna@example.com',
  subject: 'Grüße\r\nBcc: eve@example.com',
  text: 'Hello\n',
  html: '<p>Hello</p>',
  unsubscribe: 'https://brand.test/acme/-/manage/mail?of=a',
}

function mailerOf(address: string, password?: string) {
  const smtp = parseSmtpAddress(`${address}?from=brand@example.com`)
  assert.ok(smtp, address)
  return openMailer({ smtp, password, targets: { allow: [], publicUrl: 'https://brand.test' } })
}

async function failureOf(exchange: Promise<void>): Promise<unknown> {
  const error = await exchange.catch(error => error)
  return error ?? assert.fail('it succeeded')
}

test('a mail is sent to one address, and no value can add a header', async () => {
  const server = await startMailServer()
  await mailerOf(`smtp://127.0.0.1:${server.port}`).send(MAIL)
  const [mail] = server.received
  assert.ok(mail)
  assert.deepEqual([mail.from, mail.to, mail.login], ['brand@example.com', ['anna@example.com'], ''])
  const named = (name: string) => mail.headers.filter(line => line.toLowerCase().startsWith(`${name}:`))
  assert.deepEqual(named('bcc'), [])
  assert.deepEqual(named('from'), ['From: "Acme, <eve@example.com>" <brand@example.com>'])
  assert.deepEqual(named('subject'), ['Subject: Grüße Bcc: eve@example.com'])
  assert.deepEqual(named('message-id'), ['Message-ID: <one@example.com>'])
  assert.deepEqual(named('list-unsubscribe'), [`List-Unsubscribe: <${MAIL.unsubscribe}>`])
  assert.deepEqual(named('list-unsubscribe-post'), ['List-Unsubscribe-Post: List-Unsubscribe=One-Click'])
  const seen = mail.parts.map(part => part.trim())
  assert.deepEqual(seen, ['Hello', '<p>Hello</p>'])
})

test('the user of the address signs in with the password, which may have any character', async () => {
  const server = await startMailServer()
  await mailerOf(`smtp://brand@example.com@127.0.0.1:${server.port}`, 'p@ss:word').check()
  await mailerOf(`smtp://brand%40example.com@127.0.0.1:${server.port}`, 'p@ss:word').send(MAIL)
  assert.equal(server.received[0]?.login, ' brand@example.com p@ss:word')
})

test('TLS is used from the start with smtps, and its certificate must be trusted', OPENSSL, async () => {
  const certificate = await makeCertificate('IP:127.0.0.1')
  const server = await startMailServer(certificate)
  const mailer = mailerOf(`smtps://127.0.0.1:${server.port}`)
  await assert.rejects(mailer.send(MAIL), /self-signed/)
  assert.deepEqual(server.received, [])
  trustCertificate(certificate)
  await mailer.send(MAIL)
  assert.deepEqual(server.secured, [true])
})

test('a server on this machine gets the password by STARTTLS', OPENSSL, async () => {
  const server = await startMailServer(await makeCertificate('DNS:other.test'), { hasStartTls: true })
  const mailer = mailerOf(`smtp://me@127.0.0.1:${server.port}`, 'secret')
  await mailer.send(MAIL)
  assert.deepEqual([server.secured, server.received[0]?.login], [[true], ' me secret'])
  assert.match(server.verbs.join(' '), /^EHLO STAR EHLO AUTH MAIL/)
  server.replies.AUTH = '535 5.7.8 wrong'
  assert.deepEqual(smtpProblem(await failureOf(mailer.check())), { code: 'EAUTH 535', isFinal: false })
})

test('a server elsewhere with STARTTLS must have a trusted certificate', OPENSSL, async () => {
  const server = await startMailServer(await makeCertificate('DNS:mail.test'), { hasStartTls: true })
  const smtp = parseSmtpAddress(`smtp://me@mail.test:${server.port}?from=brand@example.com`)
  assert.ok(smtp)
  const targets = {
    allow: [{ address: '127.0.0.0', prefix: 8, family: 'ipv4' as const }],
    publicUrl: 'https://brand.test',
  }
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  await assert.rejects(openMailer({ smtp, password: 'secret', targets, resolve }).send(MAIL), /self-signed/)
  assert.doesNotMatch(server.verbs.join(), /AUTH|MAIL/)
})

for (const [machine, publicUrl, greeting] of [
  ['7f3a9c', 'https://brand.acme.test:8443/', 'brand.acme.test'],
  ['7f3a9c', 'http://127.0.0.1:4080', 'example.com'],
  ['7f3a9c', 'http://[::ffff:10.0.0.1]', 'example.com'],
  ['7f3a9c', 'http://localhost:4080', 'example.com'],
  ['10.0.0.7', 'https://brand.acme.test', 'brand.acme.test'],
  ['node1.acme.test', 'https://brand.acme.test', 'node1.acme.test'],
] as const)
  test(`the machine ${machine} with the address ${publicUrl} greets a mail server as ${greeting}`, async () => {
    const server = await startMailServer()
    const smtp = parseSmtpAddress(`smtp://127.0.0.1:${server.port}?from=brand@example.com`)
    assert.ok(smtp)
    assert.equal(greetingName(smtp, publicUrl, machine), greeting)
    await openMailer({ smtp, password: undefined, targets: { allow: [], publicUrl } }).check()
    assert.equal(server.greeting, greetingName(smtp, publicUrl))
  })

const REPLY = 'try again later\r\n421-4.7.0 or read\r\n421 4.7.0 https://mail.test/help'
for (const [verb, user, reply, advice] of [
  ['EHLO', '', /^EHLO got 421-4\.7\.0 /, /^it refuses this machine, which greets as brand\.test: .*--public-url/],
  ['AUTH', 'me@', /^AUTH PLAIN got 421-4\.7\.0 /, /HOUSESTYLE_SMTP_PASSWORD$/],
] as const)
  test(`a reply of several lines to ${verb} is told whole, with advice for this step`, async () => {
    const server = await startMailServer()
    server.replies[verb] = `421-4.7.0 ${REPLY}`
    const error = await failureOf(mailerOf(`smtp://${user}127.0.0.1:${server.port}`, 'secret').check())
    assert.match(smtpReply(error), reply)
    assert.ok(smtpReply(error).endsWith(REPLY.replaceAll('\r\n', ' ')), smtpReply(error))
    assert.match(smtpAdvice(error, 'brand.test'), advice)
  })

test('a long reply is told whole', async () => {
  const server = await startMailServer()
  server.replies.AUTH = `535-${'no '.repeat(100)}\r\n535 end`
  const error = await failureOf(mailerOf(`smtp://me@127.0.0.1:${server.port}`, 'secret').check())
  assert.match(smtpReply(error), /^AUTH PLAIN got 535-(?:no ){100}535 end$/)
})

test('advice about other steps does not point to the password', OPENSSL, async () => {
  const secured = await startMailServer(await makeCertificate('DNS:other.test'))
  const plain = await startMailServer()
  const blocked = await startMailServer(undefined, { hello: '554-5.7.1 blocked\r\n554 5.7.1 see the list' })
  for (const [address, advice] of [
    [`smtps://127.0.0.1:${secured.port}`, /^check its certificate and port/],
    [`smtps://127.0.0.1:${plain.port}`, /^check its certificate and port/],
    [`smtp://127.0.0.1:${await freePort()}`, /^check the host and port in --smtp$/],
    [`smtp://127.0.0.1:${blocked.port}`, /^it refuses this machine/],
    ['smtps://10.1.2.3', /^check the host and port in --smtp$/],
    ['smtps://mail.invalid', /^check the host and port in --smtp$/],
  ] as const)
    assert.match(smtpAdvice(await failureOf(mailerOf(`${address}`).check()), 'brand.test'), advice, address)
})

for (const [host, code] of [
  ['10.1.2.3', 'outgoing_address_forbidden'],
  ['[fd00::1]', 'outgoing_address_forbidden'],
] as const)
  test(`a mail server at ${host} is refused with ${code}`, async () => {
    const error = await failureOf(mailerOf(`smtps://${host}`).check())
    assert.equal(smtpProblem(error).code, code)
  })

test('a server elsewhere gets neither mail nor password without TLS, and must have a permitted address', async () => {
  const server = await startMailServer()
  server.replies.STAR = '502 no'
  const smtp = parseSmtpAddress(`smtp://me@mail.test:${server.port}?from=brand@example.com`)
  assert.ok(smtp)
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  const codeWith = async (allow: PublicTargets['allow']) => {
    const targets = { allow, publicUrl: 'https://brand.test' }
    const failure = await failureOf(openMailer({ smtp, password: 'secret', targets, resolve }).send(MAIL))
    return smtpProblem(failure).code
  }
  assert.equal(await codeWith([]), 'outgoing_address_forbidden')
  assert.equal(server.verbs.length, 0)
  assert.match(await codeWith([{ address: '127.0.0.0', prefix: 8, family: 'ipv4' }]), /^ETLS/)
  assert.deepEqual(server.received, [])
  assert.doesNotMatch(server.verbs.join(), /AUTH|MAIL/)
})

for (const [replies, problem] of [
  [{ RCPT: '550 5.1.1 <anna@example.com> is unknown' }, { code: 'EENVELOPE 550', isFinal: true }],
  [{ MAIL: '530 5.7.0 sign in first' }, { code: 'EENVELOPE 530', isFinal: false }],
  [{ RCPT: '451 later' }, { code: 'EENVELOPE 451', isFinal: false }],
  [{ content: '554 spam' }, { code: 'EMESSAGE 554', isFinal: true }],
  [
    { EHLO: '500 no', HELO: '421 closing' },
    { code: 'EPROTOCOL 421', isFinal: false },
  ],
] as const)
  test(`a reply of ${JSON.stringify(replies)} is the problem ${problem.code}, without an address`, async () => {
    const server = await startMailServer()
    Object.assign(server.replies, replies)
    const error = await failureOf(mailerOf(`smtp://127.0.0.1:${server.port}`).send(MAIL))
    assert.deepEqual(smtpProblem(error), problem)
  })

test('a server that does not answer is a problem that may end', async () => {
  const error = await failureOf(mailerOf(`smtp://127.0.0.1:${await freePort()}`).check())
  assert.deepEqual(smtpProblem(error), { code: 'ECONNREFUSED', isFinal: false })
})
