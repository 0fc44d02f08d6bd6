import { Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { renewSession } from '../../api/access.ts'
import { answerOf, api } from '../../api/client.ts'
import { useAccount } from '../../app/session.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Section } from '../../components/Section.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { texts } from '../../texts/texts.ts'
import { AppSetup, PasswordStep, RecoveryCodes } from './AppSetup.tsx'

const words = texts.account
const routes = api.auth.account['second-factor']
const codesKey = ['account', 'recovery-codes']
/** So few that new ones should be made. */
const fewCodes = 3

/** The authenticator app of the user, and its recovery codes. */
export function AppSection() {
  const { hasSecondFactor } = useAccount().user
  const queries = useQueryClient()
  const [open, setOpen] = useState<'setUp' | 'codes' | 'remove' | null>(null)
  const left = useQuery({ queryKey: codesKey, queryFn: () => answerOf(routes.get()), enabled: hasSecondFactor })
  const close = () => setOpen(null)
  async function refresh() {
    close()
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
        <Button onClick={() => setOpen('setUp')}>{words.setUp}</Button>
      )}
      <FormDialog opened={open === 'setUp'} onClose={() => void refresh()} title={words.app}>
        <AppSetup onCancel={close} onDone={() => void refresh()} />
      </FormDialog>
      <FormDialog opened={open === 'codes'} onClose={() => void refresh()} title={words.newCodes}>
        <NewCodes onCancel={close} onDone={() => void refresh()} />
      </FormDialog>
      <FormDialog opened={open === 'remove'} onClose={close} title={words.remove}>
        <PasswordStep
          hint={words.removeHint}
          action={words.remove}
          onPassword={async password => {
            await answerOf(routes.remove.post({ password }))
            await refresh()
          }}
          onCancel={close}
        />
      </FormDialog>
    </Section>
  )
}

function NewCodes({ onCancel, onDone }: { onCancel: () => void; onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  return (
    <PasswordStep
      hint={words.newCodesHint}
      action={words.newCodes}
      onPassword={async password =>
        setCodes((await answerOf(routes['recovery-codes'].post({ password }))).recoveryCodes)
      }
      onCancel={onCancel}
    />
  )
}
