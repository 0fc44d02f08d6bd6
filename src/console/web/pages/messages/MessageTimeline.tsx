import { Code, Text, Timeline } from '@mantine/core'
import { Hint } from '../../components/Hint.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import type { MessageDetails } from './queries.ts'

const words = texts.messages
type Entry = MessageDetails['timeline'][number]

const bad: ReadonlySet<string> = new Set(['refused', 'failed', 'abandoned'])

/** What happened to a message, in order. */
export function MessageTimeline({ timeline }: { timeline: readonly Entry[] }) {
  return (
    <Section title={words.timeline}>
      <Timeline active={timeline.length} bulletSize={14} lineWidth={2}>
        {timeline.map(entry => (
          <Timeline.Item
            key={`${entry.event} ${entry.at} ${JSON.stringify(entry.detail)}`}
            title={words.events[entry.event] ?? entry.event}
            {...(bad.has(entry.event) && { color: 'red' })}
          >
            <Happening entry={entry} />
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  )
}

function Happening({ entry: { at, explanation, detail } }: { entry: Entry }) {
  return (
    <>
      <Hint>
        <Time at={at} />
      </Hint>
      {explanation && (
        <Text size="sm" mt={4}>
          {explanation.meaning}
        </Text>
      )}
      {detail && (
        <details>
          <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
            {words.eventDetail}
          </Text>
          <Code block mt={4}>
            {JSON.stringify(detail, null, 2)}
          </Code>
        </details>
      )}
    </>
  )
}
