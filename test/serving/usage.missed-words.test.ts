import assert from 'node:assert/strict'
import test from 'node:test'
import { missedWords } from '#serving/usage.ts'

test('words that people search for are kept, in any language', () => {
  for (const text of [
    'zebra',
    'logo clear space',
    "don't",
    'R&D',
    'what is the minimum size?',
    '"secondary logo"',
    '#ff00aa',
    'C# (dark)',
    '48x48',
    '100 %',
    'pantone 2727 c',
    'b2b',
    'iso-9001:2015',
    'logo.svg',
    'word/excel',
    'Donaudampfschifffahrtsgesellschaft',
    'Rechtschreibung',
    'Angstschweiß',
    'BrandLogoFinal2',
    'צבע',
    'لوگوی‌ها',
    '标志最小尺寸',
    'логотип компании',
    'übergrößenträger',
  ])
    assert.equal(missedWords(text), text.toLowerCase())
})

test('addresses, probes, control characters, sentences, long numbers and encoded bytes are not kept', () => {
  for (const text of [
    'https://evil.example/buy',
    'www.evil.example',
    'cheap-pills.com',
    'buy.example/now',
    'anna@example.com',
    '../../etc/passwd',
    '/etc/passwd',
    '//evil',
    'wp-login.php',
    '.env',
    'a\u0000b',
    'a\u001b[31m',
    'a\u202eb',
    '\ufffd\ufffda',
    '<script>alert(1)</script>',
    '&lt;b',
    '{{7*7}}',
    '$(id)',
    '%27%20or',
    "' or 1=1 --",
    '1 UNION SELECT password',
    'select a from users',
    'sleep(5)',
    '1; drop table x',
    'javascript:x',
    'this is a sentence with seven words',
    '+49 170 1234567',
    '4111 1111 1111 1111',
    'aGVsbG8gd29ybGQhIQ',
    'deadbeef0123456789',
    '550e8400-e29b-41d4-a716-446655440000',
    'x7k2p9q4m1z8',
    'xkqzjwvbnmrtpl',
    'a'.repeat(41),
    'x'.repeat(201),
    '…',
    '',
  ])
    assert.equal(missedWords(text), undefined, text)
})
