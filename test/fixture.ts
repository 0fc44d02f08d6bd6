import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test'

type Start<Fixture> = () => Fixture | Promise<Fixture>
type Hook = (run: () => Promise<void>) => void

/**
 * Starts what all tests of this file, or of this block, share, and ends it after them, by its own `remove`, `stop` or
 * `close`.
 * @returns stands for what was started; of use in tests and hooks only
 */
export function sharedFixture<Fixture extends object>(start: Start<Fixture>): Fixture {
  return fixture(start, beforeAll, afterAll)
}

/** The same, started and ended for each test. */
export function freshFixture<Fixture extends object>(start: Start<Fixture>): Fixture {
  return fixture(start, beforeEach, afterEach)
}

/** The first of these that a fixture has ends it. */
const endings = ['remove', 'stop', 'close']

function fixture<Fixture extends object>(start: Start<Fixture>, before: Hook, after: Hook): Fixture {
  let started: Fixture | undefined
  function now(): Fixture {
    if (started === undefined) throw new Error('a fixture is used outside of tests and hooks, or did not start')
    return started
  }
  function read(name: string | symbol): unknown {
    const value: unknown = Reflect.get(now(), name)
    // A method is called on its own object.
    return typeof value === 'function' ? value.bind(now()) : value
  }
  before(async () => {
    started = undefined
    started = await start()
  })
  after(async () => {
    const ending = started && endings.map(read).find(value => typeof value === 'function')
    if (typeof ending === 'function') await ending()
  })
  return new Proxy({} as Fixture, {
    get: (_, name) => read(name),
    set: (_, name, value) => Reflect.set(now(), name, value),
  })
}
