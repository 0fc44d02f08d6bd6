import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { hasFailed, messageStatuses } from '../../../../message/statuses.ts'
import { againAtOnceMax } from '../../../../reading/steps.ts'
import { randomWord } from '../../api/request.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceQuery, useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { money, whole } from '../../components/numbers.ts'
import { manyAgain as words } from '../../texts/en/manyAgain.ts'
import { texts } from '../../texts/texts.ts'
import { type Filters, queryOf } from './queries.ts'

/** Sends the failed messages of a filter again, after it has said which, and why others are left out. */
export function SendManyAgain({ filters }: { filters: Filters }) {
  const { can } = useWorkspace()
  const [isOpen, setOpen] = useState(false)
  const chosen = filters.status.split(',')
  const isOfFailed = messageStatuses.some(status => hasFailed(status) && chosen.includes(status))
  if (!can('member') || !isOfFailed || filters.q !== '') return null
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {texts.messages.sendAgain}
      </Button>
      <FormDialog opened={isOpen} onClose={() => setOpen(false)} title={words.title}>
        <Looked filters={filters} onClose={() => setOpen(false)} />
      </FormDialog>
    </>
  )
}

interface Result {
  readonly sent: number
  /** How often each refusal was said. */
  readonly refusals: ReadonlyMap<string, number>
}

function Looked({ filters, onClose }: { filters: Filters; onClose: () => void }) {
  const { q: _q, limit: _limit, ...query } = queryOf({ ...filters, older: '', newer: '' })
  const [result, setResult] = useState<Result | null>(null)
  // Read anew each time that it is opened.
  const [opened] = useState(randomWord)
  const looked = useWorkspaceQuery(['messages-again', opened], routes => routes['messages-again'].get({ query }))
  if (result) return <Sent result={result} onClose={onClose} />
  return <Loaded query={looked}>{offer => <Offer offer={offer} onSent={setResult} onCancel={onClose} />}</Loaded>
}

type LookedAt = { readonly ids: readonly string[]; readonly isMore: boolean } & {
  readonly leftOut: readonly { readonly reason: keyof typeof words.leftOut; readonly count: number }[]
  readonly cost: { readonly sums: Parameters<typeof money>[0]; readonly withoutRate: number } | null
}

function Offer(props: { offer: LookedAt; onSent: (result: Result) => void; onCancel: () => void }) {
  const { onSent, onCancel } = props
  // What it says is what is sent, whatever changes meanwhile.
  const [{ ids, leftOut, isMore, cost }] = useState(props.offer)
  const { routes, change } = useWorkspaceRoutes()
  const [done, setDone] = useState(0)
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  const form = useForm({
    initial: {},
    async send() {
      const refusals = new Map<string, number>()
      let sent = 0
      // Who closes the dialog stops what is not on its way yet.
      for (let at = 0; at < ids.length && !isLeft.current; at += againAtOnceMax) {
        setDone(at)
        const some = { ids: ids.slice(at, at + againAtOnceMax) }
        const { messages } = await change(routes['messages-again'].post(some), 'messages')
        for (const { refusal, leftOut: why } of messages) {
          // Who presses once more, after an answer was lost, finds those that are sent already.
          if (refusal !== null) refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1)
          else if (why === null || why === 'again') sent += 1
        }
      }
      return { sent, refusals }
    },
    onSuccess: onSent,
  })
  const count = ids.length
  const others = (
    <>
      {isMore && <Hint>{words.more}</Hint>}
      {leftOut.length > 0 && (
        <div>
          <Hint>{words.leftOutTitle}</Hint>
          <List size="sm">
            {leftOut.map(({ reason, count: left }) => (
              <List.Item key={reason}>{words.leftOut[reason](left)}</List.Item>
            ))}
          </List>
        </div>
      )}
    </>
  )
  if (count === 0) {
    return (
      <Stack>
        <Text size="sm">{words.none}</Text>
        {others}
        <CloseButton onClose={onCancel} />
      </Stack>
    )
  }
  return (
    <Form form={form} submit={words.send(count, whole(count))} onCancel={onCancel}>
      <Text size="sm">{words.offer(count, whole(count))}</Text>
      <Hint>
        {words.counts} {costWords(cost)}
      </Hint>
      {others}
      {form.sent.isPending && (
        <Text size="sm" role="status">
          {words.progress(whole(done), whole(count))}
        </Text>
      )}
    </Form>
  )
}

/** What they cost, as far as it is known. */
function costWords(cost: LookedAt['cost']): string {
  if (cost === null) return words.noRates
  const { sums, withoutRate } = cost
  const told = [
    sums.length > 0 && words.cost(money(sums)),
    withoutRate > 0 && words.withoutRate(withoutRate, whole(withoutRate)),
  ]
  return told.filter(Boolean).join(' ')
}

function Sent({ result: { sent, refusals }, onClose }: { result: Result; onClose: () => void }) {
  return (
    <Stack gap="sm">
      <Text role="status">{words.sent(sent, whole(sent))}</Text>
      {[...refusals].map(([why, count]) => (
        <Alert key={why} color="red" className="breakable">
          {words.refused(whole(count), why)}
        </Alert>
      ))}
      <CloseButton onClose={onClose} />
    </Stack>
  )
}

const CloseButton = ({ onClose }: { onClose: () => void }) => (
  <Group justify="flex-end">
    <Button onClick={onClose} data-autofocus>
      {texts.common.close}
    </Button>
  </Group>
)
