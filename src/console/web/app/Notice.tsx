import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { EmptyList } from '../components/EmptyList.tsx'
import { useDocumentTitle } from '../components/useDocumentTitle.ts'
import { texts } from '../texts/texts.ts'

/** In place of a page that cannot be shown. */
export function Notice({ title, hint }: { title: string; hint: string }) {
  useDocumentTitle(title)
  return (
    <EmptyList
      level={1}
      title={title}
      hint={hint}
      action={
        <Anchor component={Link} href="/">
          {texts.shell.home}
        </Anchor>
      }
    />
  )
}
