/**
 * The `--threads` with which tests start services, as the environment of the tests says: `HOUSESTYLE_TEST_THREADS=2 npm
 * test -- 'test/http/**'` runs what they hold with two threads. Empty if it does not say.
 */
export const THREADS = process.env.HOUSESTYLE_TEST_THREADS ?? ''
