import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { hasFailed } from '../../../../message/statuses.ts'
import { useWorkspaceQuery } from '../../app/workspaceData.ts'
import { Hint } from '../../components/Hint.tsx'
import { share, whole } from '../../components/numbers.ts'
import { Time } from '../../components/Time.tsx'
import { templates as words } from '../../texts/en/templates.ts'
import { translated } from '../../texts/said.ts'
import { texts } from '../../texts/texts.ts'
import { messagesPath } from '../messages/queries.ts'
import type { ShownTemplate } from './queries.ts'

const useNumbers = () =>
  useWorkspaceQuery(['template-numbers'], routes => routes['template-numbers'].get(), {
    staleTime: everyMs,
    refetchInterval: everyMs,
  })
type Numbers = NonNullable<ReturnType<typeof useNumbers>['data']>['templates'][number]['week']

/** They read up to 20,000 failures: not again for each message. */
const everyMs = 60_000

/**
 * How many messages a template was sent with lately, how many failed, and why. Each leads to its messages.
 * @param props.isListed among others: in one line, and nothing of one that was not sent
 */
export function TemplateNumbers(props: {
  workspaceId: string
  template: Pick<ShownTemplate, 'name' | 'language'>
  isListed?: boolean
}) {
  const { workspaceId, template, isListed = false } = props
  const { name, language } = template
  const { data } = useNumbers()
  if (!data) return null
  const numbers = data.templates.find(one => one.name === name && one.language === language)
  const link = (label: string, filters: Parameters<typeof messagesPath>[1], color?: 'red') => (
    <Anchor
      component={Link}
      href={messagesPath(workspaceId, { template: name, language, ...filters })}
      {...{ size: 'sm', lh: '1.5rem', c: color }}
    >
      {label}
    </Anchor>
  )
  const period = (label: string, { since, sent, failed, cause }: Numbers) => {
    const from = { since: `${since}T00:00:00.000Z` }
    return (
      <Group component="li" gap="0 0.5rem" mb={4}>
        <Text span size="sm" c="dimmed" miw={isListed ? undefined : '6rem'}>
          {label}
        </Text>
        {sent === 0 && failed === 0 ? (
          <Text span size="sm" c="dimmed">
            {words.numbers.none}
          </Text>
        ) : (
          link(texts.messages.found(whole(sent), sent === 1), from)
        )}
        {failed > 0 &&
          link(
            `${words.numbers.failed(whole(failed))} (${share(failed / sent)})`,
            { ...from, status: hasFailed.statuses.join() },
            'red',
          )}
        {cause &&
          link(words.numbers.cause(translated(cause.words), whole(cause.count)), { ...from, cause: cause.cause })}
      </Group>
    )
  }
  const [week, month] = [numbers?.week ?? none, numbers?.month ?? none]
  if (isListed && month.sent === 0 && month.failed === 0) return null
  return (
    <div>
      <ul className="plain-list">
        {!isListed && period(words.numbers.week, week)}
        {period(words.numbers.month, month)}
      </ul>
      {data.countedUntil !== null && (
        <Hint>
          {words.numbers.countedUntil} <Time at={data.countedUntil} />
        </Hint>
      )}
      {data.failuresSince !== null && (
        <Hint>
          {words.numbers.failuresSince} <Time at={data.failuresSince} />
        </Hint>
      )}
    </div>
  )
}

const none: Numbers = { since: '', sent: 0, failed: 0, cause: null }
