import assert from 'node:assert/strict'
import test from 'node:test'
import { parseBucketAddress } from '../../src/settings/bucket-address.ts'

const plain = { bucket: 'brand', prefix: '', isPathStyle: false }
const other = { endpoint: 'https://s3.example.com', region: 'us-east-1', isPathStyle: true }

for (const [text, environment, address] of [
  ['s3://brand', {}, plain],
  ['s3://brand/', {}, plain],
  ['s3://brand/of/us', {}, { ...plain, prefix: 'of/us/' }],
  ['s3://brand/of//us/?region=eu-central-1', {}, { ...plain, prefix: 'of/us/', region: 'eu-central-1' }],
  ['s3://brand', { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'x' }, { ...plain, region: 'eu-west-1' }],
  ['s3://brand', { AWS_DEFAULT_REGION: 'eu-west-1' }, { ...plain, region: 'eu-west-1' }],
  ['s3://brand?endpoint=https://s3.example.com/', {}, { ...plain, ...other }],
  ['s3://brand?endpoint=https%3A%2F%2Fs3.example.com&path-style=false', {}, { ...plain, ...other, isPathStyle: false }],
  ['s3://brand', { AWS_ENDPOINT_URL: 'https://s3.example.com' }, { ...plain, ...other }],
  [
    's3://brand?region=garage',
    { AWS_ENDPOINT_URL_S3: 'https://s3.example.com', AWS_ENDPOINT_URL: 'https://x.example' },
    { ...plain, ...other, region: 'garage' },
  ],
] as const)
  test(`${text} with ${JSON.stringify(environment)} is a bucket address`, () => {
    assert.deepEqual(parseBucketAddress(text, environment), address)
  })

for (const text of [
  'brand',
  's3://',
  's3://Brand',
  's3://key:secret@brand',
  's3://brand/../other',
  's3://brand/a b',
  's3://brand?regoin=eu-central-1',
  's3://brand?region=a&region=b',
  's3://brand?region=../x',
  's3://brand?endpoint=ftp://s3.example.com',
  's3://brand?endpoint=https://key:secret@s3.example.com',
  's3://brand?path-style=yes',
  's3://brand#part',
  'https://s3.example.com/brand',
])
  test(`${text} is not a bucket address`, () => {
    assert.equal(parseBucketAddress(text, {}), undefined)
  })
