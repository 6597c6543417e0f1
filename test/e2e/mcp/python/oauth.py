"""The sign-in of the official Python SDK (OAuthClientProvider) at an MCP endpoint, as its users write it.

    oauth.py URL

The address to which the person is sent is told on stdout as a line of JSON, and what they come back with is read from
stdin as another. The last line names the tools. Both lines of the SDK run this.
"""

import asyncio
import json
import sys

from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import OAuthClientMetadata

url = sys.argv[1]
redirect = 'http://127.0.0.1:1/callback'


def tell(**event):
    print(json.dumps(event), flush=True)


class Kept:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def sent(address):
    tell(address=address)


async def back():
    said = json.loads(await asyncio.to_thread(sys.stdin.readline))
    try:
        from mcp.client.auth import AuthorizationCodeResult

        return AuthorizationCodeResult(code=said['code'], state=said['state'], iss=said.get('iss'))
    except ImportError:
        return said['code'], said['state']


metadata = OAuthClientMetadata(client_name='assistant', redirect_uris=[redirect], token_endpoint_auth_method='none')
signing_in = OAuthClientProvider(url, metadata, Kept(), redirect_handler=sent, callback_handler=back)


async def main():
    try:
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client
    except ImportError:
        from mcp import ClientSession
        from mcp.client.streamable_http import streamablehttp_client

        async with streamablehttp_client(url, auth=signing_in) as (read, write, _):
            async with ClientSession(read, write) as session:
                await session.initialize()
                tell(tools=[tool.name for tool in (await session.list_tools()).tools])
        return
    async with httpx2.AsyncClient(auth=signing_in, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            tell(tools=[tool.name for tool in (await client.list_tools()).tools])


asyncio.run(main())
