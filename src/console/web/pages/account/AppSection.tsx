import { Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { renewSession } from '../../api/access.ts'
import { answerOf, api } from '../../api/client.ts'
import { useAccount } from '../../app/session.tsx'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Section } from '../../components/Section.tsx'
import { ShownOnce } from '../../components/ShownOnce.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { texts } from '../../texts/texts.ts'
import { AppSetup, PasswordStep } from './AppSetup.tsx'

const words = texts.account
const routes = api.auth.account['second-factor']
const codesKey = ['account', 'recovery-codes']
/** So few that new ones should be made. */
const fewCodes = 3

const titles = { setUp: words.app, codes: words.newCodes, remove: words.remove } as const

/** The authenticator app of the user, and its recovery codes. */
export function AppSection() {
  const { hasSecondFactor } = useAccount().user
  const queries = useQueryClient()
  const [open, setOpen] = useState<keyof typeof titles | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const left = useQuery({ queryKey: codesKey, queryFn: () => answerOf(routes.get()), enabled: hasSecondFactor })
  async function close() {
    setOpen(null)
    setCodes(null)
    await renewSession()
    await queries.invalidateQueries({ queryKey: codesKey })
  }
  const count = left.data?.recoveryCodesLeft
  return (
    <Section
      title={words.app}
      hint={words.appHint}
      actions={
        <StatusBadge tone={hasSecondFactor ? 'good' : 'quiet'}>
          {hasSecondFactor ? words.appOn : words.appOff}
        </StatusBadge>
      }
    >
      {hasSecondFactor && count !== undefined && (
        <Text size="sm" mb="sm">
          {words.codesLeft(count)} {count <= fewCodes && words.fewCodes}
        </Text>
      )}
      {hasSecondFactor ? (
        <Group>
          <Button variant="default" onClick={() => setOpen('codes')}>
            {words.newCodes}
          </Button>
          <Button variant="default" color="red" onClick={() => setOpen('remove')}>
            {words.remove}
          </Button>
        </Group>
      ) : (
        <Button variant="default" onClick={() => setOpen('setUp')}>
          {words.setUp}
        </Button>
      )}
      <FormDialog opened={open !== null} onClose={close} title={open === null ? '' : titles[open]}>
        {codes ? (
          <ShownOnce title={words.codesTitle} hint={words.codesHint} done={words.codesKept} onDone={close}>
            <CodeBlock text={codes.join('\n')} what={words.codes} />
          </ShownOnce>
        ) : open === 'setUp' ? (
          <AppSetup onCodes={setCodes} onCancel={close} />
        ) : open === 'codes' ? (
          <PasswordStep
            hint={words.newCodesHint}
            action={words.newCodes}
            onPassword={async password =>
              setCodes((await answerOf(routes['recovery-codes'].post({ password }))).recoveryCodes)
            }
            onCancel={close}
          />
        ) : (
          <PasswordStep
            hint={words.removeHint}
            action={words.remove}
            onPassword={password => answerOf(routes.remove.post({ password })).then(close)}
            onCancel={close}
          />
        )}
      </FormDialog>
    </Section>
  )
}
