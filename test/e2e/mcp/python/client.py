"""A conversation of the official Python SDK with an agent's MCP endpoint, as its users write it.

    client.py URL KEY MODE

MODE is `1` for the SDK's line 1, and for line 2 the mode of its client: `auto` or `legacy`. Each step is told on stdout,
one JSON object a line. Exits with 1 and a traceback where the SDK raises.
"""

import asyncio
import json
import sys


def tell(**event):
    print(json.dumps(event), flush=True)


async def progress(done, total, message):
    tell(step='progress', message=message)


def content(result):
    """The structured content, under the name that either line has for it."""
    failed = result.isError if hasattr(result, 'isError') else result.is_error
    assert not failed, result
    return result.structuredContent if hasattr(result, 'structuredContent') else result.structured_content


async def talk(client, version):
    tell(step='connected', version=version)
    tools = await client.list_tools()
    tell(step='tools', names=sorted(tool.name for tool in tools.tools))
    memory = content(await client.call_tool('remember', {'content': 'Mia likes tea'}))
    found = content(await client.call_tool('recall', {'query': 'tea'}))
    tell(step='recalled', own=[each['id'] for each in found['memories']] == [memory['id']])
    read = await client.read_resource(f"memory://{memory['id']}")
    tell(step='read', text=json.loads(read.contents[0].text)['content'])
    run = content(await client.call_tool('ask_agent', {'message': 'Paint it'}, progress_callback=progress))
    tell(step='asked', status=run['status'], output=run['output'])


async def line_1(url, headers):
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client
    from mcp.types import ElicitResult

    async def human(context, params):
        tell(step='question', message=params.message)
        return ElicitResult(action='accept', content={'answer': 'blue'})

    async with streamablehttp_client(url, headers=headers) as (read, write, _):
        async with ClientSession(read, write, elicitation_callback=human) as session:
            started = await session.initialize()
            await talk(session, started.protocolVersion)


async def line_2(url, headers, mode):
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp_types import ElicitResult

    async def human(context, params):
        tell(step='question', message=params.message)
        return ElicitResult(action='accept', content={'answer': 'blue'})

    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=mode, elicitation_callback=human) as client:
            await talk(client, client.protocol_version)


url, key, mode = sys.argv[1:]
headers = {'Authorization': f'Bearer {key}'}
asyncio.run(line_1(url, headers) if mode == '1' else line_2(url, headers, mode))
