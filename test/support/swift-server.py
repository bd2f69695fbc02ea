"""
Runs OpenStack Swift in one process, on free ports of 127.0.0.1, until its parent is gone: python3 swift-server.py FOLDER
Its proxy speaks S3, for the keys test:key and test:next with the secret `secret`, and its port is printed. Debian
packages: swift-proxy, swift-account, swift-container, swift-object.
"""
import os
import sys
from textwrap import dedent

os.environ['EVENTLET_NO_GREENDNS'] = 'yes'  # Its DNS client takes long to load.

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi as server
from eventlet.hubs import trampoline
from swift.common import utils, wsgi
from swift.common.ring import RingBuilder

folder = sys.argv[1]
devices = os.path.join(folder, 'devices')
COMMON = f'''
[DEFAULT]
swift_dir = {folder}
devices = {devices}
mount_check = false
fallocate_reserve = 0
disable_fallocate = true
log_address = {folder}/none
log_level = CRITICAL
'''


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, 'w') as file:
        file.write(dedent(text))
    return path


def serve(name, text):
    """Gives the port of a part of Swift."""
    socket = eventlet.listen(('127.0.0.1', 0), backlog=512)
    port = socket.getsockname()[1]
    if name != 'proxy':
        add_ring(name, port)
    app = wsgi.loadapp(write(f'{name}.conf', COMMON + text))
    options = {'protocol': wsgi.SwiftHttpProtocol, 'capitalize_response_headers': False}
    eventlet.spawn(server.server, socket, app, utils.NullLogger(), **options)
    return port


class Cache:
    """Remembers accounts and buckets, as memcached does in production; without it, each request looks for them."""

    def __init__(self):
        self.kept = {}

    def get(self, key, **_):
        return self.kept.get(key)

    def set(self, key, value, **_):
        self.kept[key] = value

    def delete(self, key, **_):
        self.kept.pop(key, None)


def caching(_, **_options):
    cache = Cache()
    return lambda app: lambda env, start: app({**env, 'swift.cache': cache}, start)


def add_ring(name, port):
    builder = RingBuilder(3, 1, 0)
    builder.add_dev({
        'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'ip': '127.0.0.1', 'port': port, 'device': 'disk', 'meta': '',
    })
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, f'{name}.ring.gz'))


os.makedirs(os.path.join(devices, 'disk'))
utils.SWIFT_CONF_FILE = write('swift.conf', '''
    [swift-hash]
    swift_hash_path_suffix = test
    [storage-policy:0]
    name = one
    default = yes
    ''')
for kind in ('account', 'container', 'object'):
    serve(kind, f'''
[pipeline:main]
pipeline = app
[app:app]
use = egg:swift#{kind}
''')
port = serve('proxy', '''
[pipeline:main]
pipeline = catch_errors gatekeeper cache s3api tempauth bulk slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
paste.filter_factory = __main__:caching
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
auth_pipeline_check = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_key = secret .admin
user_test_next = secret .admin
user_test_other = secret
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
''')
print(port, flush=True)
trampoline(0, read=True)
