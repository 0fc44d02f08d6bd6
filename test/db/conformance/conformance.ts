import { afterAll, beforeAll, describe } from 'bun:test'
import { hungAfterMs } from '../../timeLimit.ts'
import { type Engine, everyName, type OpenStore } from '../engines.ts'
import { watchJoinedSelections } from '../joinedSelections.ts'
import { faultsOf } from '../plans.ts'
import { acceptanceSuite } from './acceptance.ts'
import { accountsSuite } from './accounts.ts'
import { apiRequestsSuite } from './apiRequests.ts'
import { auditSuite } from './audit.ts'
import { batchesSuite } from './batches.ts'
import { blockedSuite } from './blocked.ts'
import { concurrencySuite } from './concurrency.ts'
import { contactErasureSuite } from './contactErasure.ts'
import { contactSearchSuite } from './contactSearch.ts'
import { contactsSuite } from './contacts.ts'
import { conversationsSuite } from './conversations.ts'
import { dailyCountsSuite } from './dailyCounts.ts'
import { eventsSuite } from './events.ts'
import { handOverSuite } from './handOver.ts'
import { inboundFilesSuite } from './inboundFiles.ts'
import { inboundMessagesSuite } from './inboundMessages.ts'
import { membersSuite } from './members.ts'
import { messageRelationsSuite } from './messageRelations.ts'
import { messageSearchSuite } from './messageSearch.ts'
import { messageTokensSuite } from './messageTokens.ts'
import { numberSpellingsSuite } from './numberSpellings.ts'
import { operatorInvitationsSuite } from './operatorInvitations.ts'
import { optOutsSuite } from './optOuts.ts'
import { parkingSuite } from './parking.ts'
import { paymentsSuite } from './payments.ts'
import { pruneSuite } from './prune.ts'
import { readsSuite } from './reads.ts'
import { removalSuite } from './removal.ts'
import { scheduledSuite } from './scheduled.ts'
import { secondFactorSuite } from './secondFactor.ts'
import { secretsSuite } from './secrets.ts'
import { sessionsSuite } from './sessions.ts'
import { settingsSuite } from './settings.ts'
import { templatesSuite } from './templates.ts'
import { updatesSuite } from './updates.ts'
import { usageSuite } from './usage.ts'
import { userIdsSuite } from './userIds.ts'
import { usernamesSuite } from './usernames.ts'
import { usersSuite } from './users.ts'
import { waitsSuite } from './waits.ts'
import { webhookDeliveriesSuite } from './webhookDeliveries.ts'
import { webhooksSuite } from './webhooks.ts'
import { wholeMessagesSuite } from './wholeMessages.ts'
import { workspaceEventsSuite } from './workspaceEvents.ts'

const suites: readonly (readonly [subject: string, suite: (open: OpenStore) => void])[] = [
  ['acceptance', acceptanceSuite],
  ['accounts', accountsSuite],
  ['apiRequests', apiRequestsSuite],
  ['audit', auditSuite],
  ['batches', batchesSuite],
  ['blocked', blockedSuite],
  ['concurrency', concurrencySuite],
  ['contactErasure', contactErasureSuite],
  ['contactSearch', contactSearchSuite],
  ['contacts', contactsSuite],
  ['conversations', conversationsSuite],
  ['dailyCounts', dailyCountsSuite],
  ['handOver', handOverSuite],
  ['events', eventsSuite],
  ['inboundFiles', inboundFilesSuite],
  ['inboundMessages', inboundMessagesSuite],
  ['messageRelations', messageRelationsSuite],
  ['messageSearch', messageSearchSuite],
  ['messageTokens', messageTokensSuite],
  ['numberSpellings', numberSpellingsSuite],
  ['optOuts', optOutsSuite],
  ['parking', parkingSuite],
  ['payments', paymentsSuite],
  ['prune', pruneSuite],
  ['reads', readsSuite],
  ['templates', templatesSuite],
  ['usage', usageSuite],
  ['userIds', userIdsSuite],
  ['usernames', usernamesSuite],
  ['users', usersSuite],
  ['members', membersSuite],
  ['operatorInvitations', operatorInvitationsSuite],
  ['removal', removalSuite],
  ['scheduled', scheduledSuite],
  ['secondFactor', secondFactorSuite],
  ['secrets', secretsSuite],
  ['settings', settingsSuite],
  ['sessions', sessionsSuite],
  ['updates', updatesSuite],
  ['webhooks', webhooksSuite],
  ['waits', waitsSuite],
  ['webhookDeliveries', webhookDeliveriesSuite],
  ['wholeMessages', wholeMessagesSuite],
  ['workspaceEvents', workspaceEventsSuite],
]

/**
 * What the Store promises holds on every engine: the same tests run on each, in a file of its own so that they run
 * beside each other. Files, locks, query plans and other matters of one engine are tested in its folder.
 */
export function conformanceOf(engine: Engine): void {
  describe.skipIf(!engine.isHere)(engine.name, () => {
    const lossy = watchJoinedSelections()
    beforeAll(() => engine.start())

    const opened = new Set<string>()
    describe.each(suites)('%s', (subject, suite) =>
      suite(options => {
        opened.add(subject)
        return engine.open(options)
      }),
    )

    async function checkWhatWasAsked() {
      if (lossy.size > 0)
        throw new Error(`A left-joined object begins with a nullable column: ${[...lossy].join(', ')}.`)
      // A test that is run by its name alone asks for little.
      if (opened.size < suites.length) return
      const unasked = everyName().filter(name => !engine.asked.has(name))
      if (unasked.length > 0) throw new Error(`No test calls ${unasked.join(', ')} of ${engine.name}.`)
      const plans = await engine.plans()
      if (plans.length === 0) throw new Error('No statement was planned.')
      const faults = faultsOf(engine.name, plans)
      // Whatever is known of the tables.
      if (faults.length > 0)
        throw new Error(`Statements read more of a long table than they look for:\n${faults.join('\n')}`)
    }

    // After all tests, in whatever order they run: only then is every statement known. To plan them, it fills a database
    // of its own with some million rows.
    afterAll(async () => {
      try {
        await checkWhatWasAsked()
      } finally {
        await engine.stop()
      }
    }, 4 * hungAfterMs)
  })
}
