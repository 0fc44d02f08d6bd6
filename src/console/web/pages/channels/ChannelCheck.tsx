import { Button, Code, Group, List, Loader, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useWorkspaceQuery, useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { FindingItem } from '../../components/FindingItem.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Hint } from '../../components/Hint.tsx'
import { labelled } from '../../components/labelled.ts'
import { Section } from '../../components/Section.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { connect as connectWords, channel as words } from '../../texts/en/channel.ts'
import { texts } from '../../texts/texts.ts'

const useCheck = (channelId: string) =>
  useWorkspaceQuery(['check', channelId], routes => routes.channels({ channelId }).check.get(), { retry: false })

/** Asks the platform whether the channel works: token, account, where callbacks go, and the account's numbers. */
export function ChannelCheck({ channelId }: { channelId: string }) {
  const check = useCheck(channelId)
  const { data } = check
  return (
    <Section
      title={words.checkTitle}
      hint={words.checkHint}
      actions={
        <Button variant="default" size="xs" loading={check.isFetching} onClick={() => void check.refetch()}>
          {words.check}
        </Button>
      }
    >
      <div aria-live="polite">
        {check.isPending && <Loader size="sm" aria-label={texts.common.loading} />}
        {check.error && <ErrorView error={check.error} />}
        {data && (
          <Stack>
            <List spacing="xs" size="sm" center>
              <Finding isGood={data.account.isReadable} reason={data.account.message}>
                {data.account.isReadable ? words.accountOk : words.accountBad}
              </Finding>
              {data.account.isReadable && (
                <Finding isGood={data.subscription.state === 'here'} reason={data.subscription.message}>
                  {words.subscription[data.subscription.state]}
                  {data.subscription.addresses.map(address => (
                    <Code key={address} className="breakable">
                      {address}
                    </Code>
                  ))}
                </Finding>
              )}
            </List>
            {data.account.isReadable && <Numbers channelId={channelId} numbers={data.account.numbers} />}
          </Stack>
        )}
      </div>
    </Section>
  )
}

/** @param reason what the platform says */
function Finding({ isGood, reason, children }: { isGood: boolean; reason: string | null; children: ReactNode }) {
  return (
    <FindingItem isGood={isGood}>
      {children}
      {reason && <Hint>{words.platformSays(reason)}</Hint>}
    </FindingItem>
  )
}

type AccountNumber = NonNullable<ReturnType<typeof useCheck>['data']>['account']['numbers'][number]

function Numbers({ channelId, numbers }: { channelId: string; numbers: readonly AccountNumber[] }) {
  const [isAdding, setAdding] = useState(false)
  const columns: readonly Column<AccountNumber>[] = [
    {
      header: texts.channels.number,
      place: 'who',
      render: ({ number, upstreamPhoneId }) => number ?? upstreamPhoneId,
    },
    { header: texts.common.name, place: 'what', render: ({ name }) => name ?? '–' },
    { header: words.quality, render: ({ quality }) => quality ?? '–' },
    { header: texts.channels.state, place: 'when', render: ({ status }) => status ?? '–' },
    {
      header: words.isLine,
      place: 'how',
      render: number =>
        number.lineId === null ? (
          <AddNumber channelId={channelId} number={number} />
        ) : (
          <StatusBadge tone="good">{words.isLine}</StatusBadge>
        ),
    },
  ]
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <Text fw={600} size="sm">
          {words.numbersOfAccount}
        </Text>
        <Button size="compact-sm" variant="subtle" onClick={() => setAdding(true)}>
          {words.addLine}
        </Button>
      </Group>
      <DataTable
        label={words.numbersOfAccount}
        columns={columns}
        rows={numbers}
        keyOf={({ upstreamPhoneId }) => upstreamPhoneId}
        empty={<Text size="sm">{texts.common.none}</Text>}
      />
      <AddLineDialog channelId={channelId} opened={isAdding} onClose={() => setAdding(false)} />
    </div>
  )
}

/** Adds a number that the platform shows; one that it does not show is typed. */
function AddNumber({ channelId, number }: { channelId: string; number: AccountNumber }) {
  const { routes, change } = useWorkspaceRoutes()
  const [isTyping, setTyping] = useState(false)
  const add = useMutation({
    mutationFn: (text: string) =>
      change(routes.lines.post({ channelId, upstreamPhoneId: number.upstreamPhoneId, number: text })),
    onError: () => setTyping(true),
  })
  const start = () => (number.number === null ? setTyping(true) : add.mutate(number.number))
  return (
    <>
      <Button size="compact-sm" variant="light" loading={add.isPending} onClick={start}>
        {words.addAsLine}
      </Button>
      <AddLineDialog
        channelId={channelId}
        opened={isTyping}
        onClose={() => setTyping(false)}
        upstreamPhoneId={number.upstreamPhoneId}
        number={number.number ?? ''}
      />
    </>
  )
}

interface NewLine {
  readonly channelId: string
  readonly upstreamPhoneId?: string
  readonly number?: string
  readonly onClose: () => void
}

/** Adds a line by hand. */
function AddLineDialog({ opened, ...props }: NewLine & { readonly opened: boolean }) {
  return (
    <FormDialog opened={opened} onClose={props.onClose} title={words.addLine}>
      <AddLineForm {...props} />
    </FormDialog>
  )
}

function AddLineForm({ channelId, upstreamPhoneId = '', number = '', onClose }: NewLine) {
  const { routes, change } = useWorkspaceRoutes()
  const form = useForm({
    initial: { upstreamPhoneId, number },
    rules: {
      upstreamPhoneId: value => (/^[\w-]{1,64}$/.test(value.trim()) ? null : connectWords.digitsRule),
      number: value => (value.trim() === '' ? connectWords.requiredRule : null),
    },
    noValidate: true,
    send: given => change(routes.lines.post({ channelId, ...given, upstreamPhoneId: given.upstreamPhoneId.trim() })),
    onSuccess: onClose,
  })
  return (
    <Form form={form} submit={words.addLine} onCancel={onClose}>
      <TextInput {...labelled(words, 'lineNumber')} type="tel" required data-autofocus {...form.text('number')} />
      <TextInput {...labelled(words, 'upstreamPhoneId')} required {...form.text('upstreamPhoneId')} />
    </Form>
  )
}
