import { Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { nameBlockedDays } from '../../../../base/upstreamLimits.ts'
import { isNameBlocked } from '../../../../templates/authoring/lifecycle.ts'
import { answerOf } from '../../api/client.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { templates as words } from '../../texts/en/templates.ts'
import { listPath, type TemplateDetail } from './queries.ts'

/** Asks before a template is deleted, and says what is blocked afterwards. */
export function DeleteTemplate(props: {
  detail: TemplateDetail
  phoneNumberId: string
  opened: boolean
  onClose: () => void
}) {
  const { detail, phoneNumberId, opened, onClose } = props
  const { workspaceId, routes, refresh } = useWorkspaceRoutes()
  const [, navigate] = useLocation()
  const { template, otherLanguages } = detail
  const [languages, setLanguages] = useState<'one' | 'all'>('one')
  async function remove() {
    await answerOf(routes.templates({ templateId: template.id }).delete({}, { query: { languages } }))
    navigate(listPath(workspaceId, phoneNumberId))
    // Only the lists: the template itself is gone.
    await refresh('templates', 'list')
  }
  const all = [template, ...otherLanguages]
  const blocked = isNameBlocked((languages === 'all' ? all : [template]).map(({ status }) => status))
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={words.deleteTitle(template.name)}
      confirmLabel={words.remove}
      onConfirm={remove}
      typed={template.name}
    >
      <Stack gap="sm">
        {otherLanguages.length > 0 && (
          <Radio.Group
            label={words.deleteWhat}
            value={languages}
            onChange={value => setLanguages(value === 'all' ? 'all' : 'one')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="one" label={words.deleteOne(template.language)} />
              <Radio value="all" label={words.deleteAll(all.map(({ language }) => language).join(', '))} />
            </Stack>
          </Radio.Group>
        )}
        <Text size="sm">{words.deleteEffect}</Text>
        {blocked && (
          <Text size="sm" fw={600}>
            {words.deleteBlocked(template.name, nameBlockedDays)}
          </Text>
        )}
      </Stack>
    </ConfirmDialog>
  )
}
