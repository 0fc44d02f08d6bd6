import { ActionIcon, Code, Group, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { copyText } from './clipboard.ts'

const shownMs = 1_500

/** Copies the text. @param what the name of what is copied, for screen readers */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => setOutcome(null), shownMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const { copied, copyFailed, copyNamed } = texts.common
  const label = outcome === null ? copyNamed(what) : outcome === 'copied' ? copied : copyFailed
  const copy = async () => setOutcome((await copyText(text)) ? 'copied' : 'failed')
  return (
    <Tooltip label={label} opened={outcome === null ? undefined : true}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={label}
        onClick={event => {
          event.stopPropagation()
          void copy()
        }}
      >
        {outcome === 'copied' ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </Tooltip>
  )
}

/** An id that can be copied. @param what its name, for screen readers: `message id` */
export function CopyId({ id, what }: { id: string; what: string }) {
  return (
    <Group gap={2} wrap="nowrap" component="span" display="inline-flex" maw="100%" className="copy-id">
      <Code className="breakable">{id}</Code>
      <CopyButton text={id} what={what} />
    </Group>
  )
}
