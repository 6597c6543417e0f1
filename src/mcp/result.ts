/** What the result of a tool comes to as text for a model. */
import type { CallToolResult } from '@modelcontextprotocol/client';

type Block = CallToolResult['content'][number];

/** The texts of a result, or its data where it has none; what is no text is named. */
export function textOfResult({ content, structuredContent }: CallToolResult): string {
  if (content.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent);
  return content.map(textOfBlock).join('\n');
}

function textOfBlock(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} of ${block.mimeType}, which is not taken]`;
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[${block.resource.uri}, which is not taken]`;
    default:
      return '[content of a kind that is not known]';
  }
}
