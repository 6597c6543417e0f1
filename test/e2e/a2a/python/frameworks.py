"""One conversation of a framework's own A2A client with an agent, as its users write it.

    frameworks.py FRAMEWORK URL TOKEN TEXT...

Each TEXT is a turn. What each turn came to is told on stdout, one JSON object a line. Exits with 1
and a traceback where the framework raises.
"""

import asyncio
import json
import sys

import httpx


def tell(**event):
    print(json.dumps(event), flush=True)


async def strands(url, http, texts):
    from a2a.client import ClientConfig
    from strands.agent.a2a_agent import A2AAgent

    agent = A2AAgent(endpoint=url + '/', client_config=ClientConfig(httpx_client=http))
    await agent.get_agent_card()
    for text in texts:
        events = 0
        async for event in agent.stream_async(text):
            events += 1
            if 'result' in event:
                result = event['result']
        said = ''.join(block.get('text', '') for block in result.message['content'])
        sent = await agent.invoke_async(text) if result.stop_reason == 'end_turn' else None
        tell(
            answer=said,
            card=agent.name,
            waits=result.stop_reason == 'interrupt',
            streamed=events > 2,
            sent=sent and ''.join(block.get('text', '') for block in sent.message['content']),
        )


async def agent_framework(url, http, texts):
    from agent_framework_a2a import A2AAgent

    async with A2AAgent(url=url, http_client=http) as agent:
        session = agent.create_session()
        for text in texts:
            said = ''
            async for update in agent.run(text, stream=True, session=session):
                said += update.text
            tell(answer=said)


async def main(framework, url, token, *texts):
    async with httpx.AsyncClient(headers={'Authorization': f'Bearer {token}'}, timeout=60) as http:
        await globals()[framework](url, http, texts)


asyncio.run(main(*sys.argv[1:]))
