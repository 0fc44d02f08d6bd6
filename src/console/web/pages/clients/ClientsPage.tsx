import { Anchor, Button, NativeSelect, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { lineName } from '../../../../base/direction.ts'
import type { KeyScope } from '../../../../base/keyScopes.ts'
import { useWorkspace } from '../../app/session.tsx'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { CopyId } from '../../components/CopyButton.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { Facts } from '../../components/Facts.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { clients as words } from '../../texts/en/clients.ts'
import { webhooks as webhookWords } from '../../texts/en/webhooks.ts'
import { texts } from '../../texts/texts.ts'
import { type ListedLine, useChannels, useLines } from '../channels/queries.ts'
import { KeyForm } from '../keys/KeyForm.tsx'
import { KeyTable } from '../keys/KeyTable.tsx'
import { isUsable } from '../keys/queries.ts'
import { useSettings } from '../settings/WorkspaceSection.tsx'
import { WebhookForm } from '../webhooks/WebhookForm.tsx'
import { WebhookTable } from '../webhooks/WebhookTable.tsx'
import { clientsPath } from './ClientsLink.tsx'
import { clientSettings, ownCode } from './clientSettings.ts'

/** What such a client does: it sends, lists templates, reads and marks what users write, and loads files. */
const scopesOfClient: readonly KeyScope[] = ['graph', 'messages:send', 'templates:read', 'media', 'inbound']

/** What a client that was written for the platform needs to speak to a line, and what it got so far. */
export function ClientsPage() {
  const { phoneNumberId } = useParams<{ readonly phoneNumberId?: string }>()
  const { id: workspaceId } = useWorkspace()
  const [, navigate] = useLocation()
  const settings = useSettings()
  const lines = useLines()
  const { lines: all = [], unnamedLineId } = lines.data ?? {}
  const line = all.find(({ id }) => id === phoneNumberId) ?? all.find(({ id }) => id === unnamedLineId) ?? all[0]
  const guide = (
    <Anchor href="/docs/drop-in" target="_blank" size="sm">
      {words.guide}
    </Anchor>
  )
  return (
    <>
      <PageHeader
        title={words.title}
        description={words.description}
        back={{ to: `/w/${workspaceId}/channels`, label: texts.channels.title }}
        actions={
          settings.data?.graphUrl &&
          line &&
          all.length > 1 && (
            <NativeSelect
              label={words.line}
              value={line.id}
              data={all.map(each => ({ value: each.id, label: lineName(each) }))}
              onChange={event => navigate(clientsPath(workspaceId, event.currentTarget.value))}
            />
          )
        }
      />
      <Loaded query={settings} waiting={<Placeholder h={320} />}>
        {({ graphUrl }) =>
          graphUrl === null ? (
            <EmptyList title={words.off} action={guide} />
          ) : (
            <Loaded query={lines} waiting={<Placeholder h={320} />}>
              {() =>
                line ? (
                  <>
                    <Address url={absolute(graphUrl)} line={line} />
                    <Tokens line={line} />
                    <Callbacks line={line} />
                    <WhatToWrite url={absolute(graphUrl)} line={line} guide={guide} />
                  </>
                ) : (
                  <EmptyList
                    title={texts.channels.noLines}
                    hint={texts.channels.noLinesHint}
                    action={
                      <Button component={Link} href={`/w/${workspaceId}/channels`}>
                        {texts.channels.title}
                      </Button>
                    }
                  />
                )
              }
            </Loaded>
          )
        }
      </Loaded>
    </>
  )
}

/** Without a public address, the page was reached at one that works. */
const absolute = (graphUrl: string) => new URL(graphUrl, location.origin).href

function Address({ url, line }: { url: string; line: ListedLine }) {
  const { data } = useChannels()
  const accountId = data?.channels.find(({ id }) => id === line.channelId)?.accountId
  return (
    <Section title={words.addressTitle} hint={words.addressHint}>
      <div className="values-below">
        <Facts
          facts={[
            [words.line, lineName(line)],
            [words.address, <CopyId key="address" id={url} what={words.address} />],
            [words.accountId, accountId ? <CopyId key="account" id={accountId} what={words.accountId} /> : null],
            [words.phoneNumberId, <CopyId key="phone number" id={line.upstreamPhoneId} what={words.phoneNumberId} />],
          ]}
        />
      </div>
    </Section>
  )
}

/** Whether a key, or an endpoint, is for this line among others. */
const concerns = ({ lineIds }: { readonly lineIds: readonly string[] | null }, { id }: ListedLine) =>
  lineIds === null || lineIds.includes(id)

/** A button for admins, and the form that it opens. */
function Maker({ label, form }: { label: string; form: (close: () => void) => ReactNode }) {
  const { can } = useWorkspace()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  if (!can('admin')) return null
  return (
    <>
      <Button size="xs" variant="default" leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <FormDialog opened={isOpen} onClose={close} title={label}>
        {form(close)}
      </FormDialog>
    </>
  )
}

function Tokens({ line }: { line: ListedLine }) {
  const { can } = useWorkspace()
  const chosen = { scopes: scopesOfClient, lineId: line.id }
  return (
    <Section
      title={words.tokenTitle}
      hint={words.tokenHint}
      actions={
        <Maker label={texts.apiKeys.create} form={close => <KeyForm apiKey={null} chosen={chosen} onDone={close} />} />
      }
    >
      {can('admin') ? (
        <KeyTable
          isShown={key => isUsable(key) && key.scopes?.includes('graph') === true && concerns(key, line)}
          empty={<Hint>{words.noKeys}</Hint>}
        />
      ) : (
        <Hint>{words.tokenNeeds}</Hint>
      )}
    </Section>
  )
}

const Callbacks = ({ line }: { line: ListedLine }) => (
  <Section
    title={words.callbackTitle}
    hint={words.callbackHint}
    actions={
      <Maker
        label={webhookWords.add}
        form={close => <WebhookForm webhook={null} clientLineId={line.id} onDone={close} />}
      />
    }
  >
    <WebhookTable
      isShown={webhook => webhook.format === 'platform' && concerns(webhook, line)}
      empty={<Hint>{words.noEndpoints}</Hint>}
    />
  </Section>
)

const WhatToWrite = ({ url, line, guide }: { url: string; line: ListedLine; guide: ReactNode }) => (
  <Section title={words.writeTitle} hint={words.writeHint} actions={guide}>
    <ul className="plain-list ruled-list">
      {clientSettings.map(({ client, code }, at) => {
        const name = client === ownCode ? words.ownCode : client
        return (
          <li key={client}>
            <details className="folded" open={at === 0}>
              <summary>
                <Title order={3} fz="sm" fw={500} display="inline">
                  {name}
                </Title>
              </summary>
              <CodeBlock text={code(url, line.upstreamPhoneId)} what={name} />
              {words.hints[client] && <Hint>{words.hints[client]}</Hint>}
            </details>
          </li>
        )
      })}
    </ul>
  </Section>
)
