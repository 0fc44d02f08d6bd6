import { Anchor, Box, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Breaking } from './Breaking.tsx'
import { Isolated } from './Isolated.tsx'
import { useDocumentTitle } from './useDocumentTitle.ts'

/**
 * The heading of a page, which gets the focus when the page is opened, so that a screen reader says where the user is.
 * @param title also the title of the browser's tab
 */
export function PageHeader(props: {
  title: string
  description?: ReactNode
  /** Before the title, and behind it. */
  sign?: ReactNode
  beside?: ReactNode
  actions?: ReactNode
  /** The list that this page belongs to. */
  back?: { readonly to: string; readonly label: string }
  /** Its page is as high as the screen. */
  isDense?: boolean
}) {
  const { title, description, sign, beside, actions, back, isDense = false } = props
  const heading = useDocumentTitle(title)
  return (
    <Box mb={isDense ? 'xs' : 'lg'}>
      {back && (
        <Anchor component={Link} href={back.to} size="sm">
          ← <bdi>{back.label}</bdi>
        </Anchor>
      )}
      <Group justify="space-between" align={description ? 'flex-start' : 'center'} gap="sm">
        {/* A title without a sentence leaves its row to what is done there, on a telephone too. */}
        <Box miw={0} style={{ flex: description ? '1 1 16rem' : '1 1 auto' }}>
          <Group gap="sm" wrap="nowrap">
            {sign}
            <Title
              {...{ order: 1, tabIndex: -1, className: 'quiet-focus breakable', ...(isDense && { size: 'h3' }) }}
              ref={heading}
            >
              <bdi>
                <Breaking text={title} />
              </bdi>
            </Title>
            {beside}
          </Group>
          {description && (
            <Text size="sm" c="dimmed" mt={4} component="div">
              <Isolated>{description}</Isolated>
            </Text>
          )}
        </Box>
        {actions && (
          <Group gap="xs" className="page-acts">
            {actions}
          </Group>
        )}
      </Group>
    </Box>
  )
}
