import { Button, Code, Group, List, Loader, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ErrorView } from '../../components/ErrorView.tsx'
import { FindingItem } from '../../components/FindingItem.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { connect as connectWords, channel as words } from '../../texts/en/channel.ts'
import { texts } from '../../texts/texts.ts'
import type { ListedChannel, useCheck } from './queries.ts'

/** The secrets that can be replaced, with label and title. */
const kinds = {
  accessToken: { title: words.setToken, label: connectWords.accessToken, isSecret: true },
  appSecret: { title: words.setAppSecret, label: connectWords.appSecret, isSecret: true },
  appId: { title: words.replaceAppId, label: connectWords.appId, isSecret: false },
} as const
type Kind = keyof typeof kinds

/** What the platform answers to the stored token; and replacing the token, the app secret or the app's id. */
export function AccessSection({ channel, check }: { channel: ListedChannel; check: ReturnType<typeof useCheck> }) {
  const [kind, setKind] = useState<Kind>('accessToken')
  const [isOpen, setOpen] = useState(false)
  const { data, isPending, isFetching, error, refetch } = check
  const titleOf = (name: Kind) => (name === 'appId' && channel.appId === null ? words.setAppId : kinds[name].title)
  return (
    <Section
      title={words.accessTitle}
      anchor="secrets"
      hint={
        <>
          {words.accessHint} {texts.channels.secretsChanged} <Time at={channel.secretsChangedAt} precision="day" />.
          {channel.appId !== null && ` ${connectWords.appId}: ${channel.appId}.`}
        </>
      }
      actions={
        <Button variant="default" size="xs" loading={isFetching} onClick={() => void refetch()}>
          {words.check}
        </Button>
      }
    >
      <Stack aria-live="polite">
        {isPending && <Loader size="sm" aria-label={texts.common.loading} />}
        {error && <ErrorView error={error} />}
        {data && (
          <List spacing="xs" size="sm" ps={0} center>
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
        )}
        <Group gap="xs" className="wide-on-telephone">
          {(Object.keys(kinds) as Kind[]).map(name => (
            <Button
              key={name}
              size="xs"
              variant={name === 'accessToken' && data?.account.isReadable === false ? 'filled' : 'default'}
              onClick={() => {
                setKind(name)
                setOpen(true)
              }}
            >
              {titleOf(name)}
            </Button>
          ))}
        </Group>
      </Stack>
      <FormDialog opened={isOpen} onClose={() => setOpen(false)} title={titleOf(kind)}>
        <ReplaceForm channelId={channel.id} kind={kind} onDone={() => setOpen(false)} />
      </FormDialog>
    </Section>
  )
}

/** @param reason what the platform says */
const Finding = ({ isGood, reason, children }: { isGood: boolean; reason: string | null; children: ReactNode }) => (
  <FindingItem isGood={isGood}>
    {children}
    {reason && <Hint>{words.platformSays(reason)}</Hint>}
  </FindingItem>
)

function ReplaceForm({ channelId, kind, onDone }: { channelId: string; kind: Kind; onDone: () => void }) {
  const { routes, change } = useWorkspaceRoutes()
  const { label, isSecret } = kinds[kind]
  const form = useForm({
    initial: { [kind]: '' } as Readonly<Record<string, string>>,
    rules: {
      [kind]: (value: string) =>
        value.trim() === ''
          ? connectWords.requiredRule
          : isSecret || /^\d{5,20}$/.test(value.trim())
            ? null
            : connectWords.digitsRule,
    },
    noValidate: true,
    send: given => change(routes.channels({ channelId }).patch({ [kind]: given[kind]?.trim() })),
    onSuccess: onDone,
  })
  const Input = isSecret ? PasswordInput : TextInput
  return (
    <Form form={form} submit={words.replace} onCancel={onDone}>
      <Input label={label} autoComplete="off" required data-autofocus {...form.text(kind)} />
      {kind === 'accessToken' && <Hint>{connectWords.checked}</Hint>}
    </Form>
  )
}
