import { afterAll, beforeAll, describe, setDefaultTimeout } from 'bun:test'
import { hungAfterMs } from '../timeLimit.ts'
import { acceptanceSuite } from './conformance/acceptance.ts'
import { accountsSuite } from './conformance/accounts.ts'
import { auditSuite } from './conformance/audit.ts'
import { concurrencySuite } from './conformance/concurrency.ts'
import { contactSearchSuite } from './conformance/contactSearch.ts'
import { contactsSuite } from './conformance/contacts.ts'
import { dailyCountsSuite } from './conformance/dailyCounts.ts'
import { dispatchSuite } from './conformance/dispatch.ts'
import { eventsSuite } from './conformance/events.ts'
import { membersSuite } from './conformance/members.ts'
import { messageSearchSuite } from './conformance/messageSearch.ts'
import { operatorInvitationsSuite } from './conformance/operatorInvitations.ts'
import { parkingSuite } from './conformance/parking.ts'
import { pruneSuite } from './conformance/prune.ts'
import { readsSuite } from './conformance/reads.ts'
import { removalSuite } from './conformance/removal.ts'
import { secondFactorSuite } from './conformance/secondFactor.ts'
import { secretsSuite } from './conformance/secrets.ts'
import { sessionsSuite } from './conformance/sessions.ts'
import { templatesSuite } from './conformance/templates.ts'
import { updatesSuite } from './conformance/updates.ts'
import { usersSuite } from './conformance/users.ts'
import { engines, everyName, type OpenStore } from './engines.ts'

setDefaultTimeout(hungAfterMs)

/*
 * What the Store promises holds on every engine: the same tests run on each. Files, locks, query plans and other matters of
 * one engine are tested in a folder of its own.
 */

const suites: readonly (readonly [subject: string, suite: (open: OpenStore) => void])[] = [
  ['acceptance', acceptanceSuite],
  ['accounts', accountsSuite],
  ['audit', auditSuite],
  ['concurrency', concurrencySuite],
  ['contactSearch', contactSearchSuite],
  ['contacts', contactsSuite],
  ['dailyCounts', dailyCountsSuite],
  ['dispatch', dispatchSuite],
  ['events', eventsSuite],
  ['messageSearch', messageSearchSuite],
  ['parking', parkingSuite],
  ['prune', pruneSuite],
  ['reads', readsSuite],
  ['templates', templatesSuite],
  ['users', usersSuite],
  ['members', membersSuite],
  ['operatorInvitations', operatorInvitationsSuite],
  ['removal', removalSuite],
  ['secondFactor', secondFactorSuite],
  ['secrets', secretsSuite],
  ['sessions', sessionsSuite],
  ['updates', updatesSuite],
]

for (const engine of engines) {
  describe.skipIf(!engine.isHere)(engine.name, () => {
    beforeAll(() => engine.start())
    afterAll(() => engine.stop())

    const opened = new Set<string>()
    describe.each(suites)('%s', (subject, suite) =>
      suite(options => {
        opened.add(subject)
        return engine.open(options)
      }),
    )

    afterAll(() => {
      // A test that is run by its name alone asks for little.
      if (opened.size < suites.length) return
      const unasked = everyName().filter(name => !engine.asked.has(name))
      if (unasked.length > 0) throw new Error(`No test calls ${unasked.join(', ')} of ${engine.name}.`)
    })
  })
}
