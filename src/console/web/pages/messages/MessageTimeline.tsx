import { Code, List, Text } from '@mantine/core'
import { Hint } from '../../components/Hint.tsx'
import { span } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { translated } from '../../texts/said.ts'
import { texts } from '../../texts/texts.ts'
import type { MessageDetails } from './queries.ts'
import { timelineSteps } from './steps.ts'

const words = texts.messages
type Entry = MessageDetails['timeline'][number]

const bad: ReadonlySet<string> = new Set(['refused', 'expired', 'failed', 'abandoned', 'payment.failed'])

/** Shorter times would be told as none. */
const toldSecondsMin = 0.05

/** What happened to a message, in order. Many steps have the same second: how long after tells more. */
export function MessageTimeline({ timeline }: { timeline: readonly Entry[] }) {
  return (
    <Section title={words.timeline}>
      <ol className="plain-list timeline">
        {timelineSteps(timeline).map(({ entry, afterSeconds, attempt }) => (
          <li
            key={`${entry.event} ${entry.at} ${JSON.stringify(entry.detail)}`}
            data-bad={bad.has(entry.event) || undefined}
          >
            <Text size="sm" fw={600} lh={1.2}>
              {titleOf(entry, attempt)}
            </Text>
            <Hint>
              <Time at={entry.at} precision={afterSeconds === null ? 'second' : 'clockSecond'} />
              {afterSeconds !== null && afterSeconds >= toldSecondsMin && ` · ${words.later(span(afterSeconds))}`}
            </Hint>
            <Happening entry={entry} />
          </li>
        ))}
      </ol>
    </Section>
  )
}

function titleOf({ event }: Entry, attempt: number | null): string {
  const title = words.events[event] ?? event
  return attempt === null ? title : `${words.attempt(attempt)}: ${title}`
}

function Happening({ entry: { explanation, issues, detail } }: { entry: Entry }) {
  return (
    <>
      {explanation && (
        <Text size="sm" mt={4}>
          {translated(explanation.short)}
        </Text>
      )}
      {issues.length > 0 && (
        <>
          <Text size="sm" mt={4}>
            {words.misfits}
          </Text>
          <List size="sm">
            {issues.map(({ path, message }) => (
              <List.Item key={`${path} ${message}`}>
                <Code>{path}</Code> {translated(message)}
              </List.Item>
            ))}
          </List>
        </>
      )}
      {detail && (
        <details className="folded">
          <summary>{words.eventDetail}</summary>
          <Code block mt={4}>
            {JSON.stringify(detail, null, 2)}
          </Code>
        </details>
      )}
    </>
  )
}
