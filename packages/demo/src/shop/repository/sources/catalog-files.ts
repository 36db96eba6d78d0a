export const CATALOG_FILES: Record<string, string> = {
  'services/catalog/requirements.txt': `fastapi==0.119.0
uvicorn==0.37.0
asyncpg==0.30.0
`,
  'services/catalog/catalog/app.py': `import logging

from fastapi import FastAPI

from catalog.discounts import discounted
from catalog.search import search
from catalog.stock import stock_of

log = logging.getLogger("catalog.app")
app = FastAPI()


@app.get("/products/{sku}")
async def read_product(sku: str):
    product = await app.state.db.product(sku)
    product["stock"] = await stock_of(app.state.db, sku)
    product["price"] = discounted(product)
    return product


@app.get("/search")
async def read_search(q: str):
    hits = await search(app.state.db, q)
    log.info("search found %d products", len(hits))
    return hits
`,
  'services/catalog/catalog/search.py': `import asyncio

from catalog.settings import settings
from catalog.synonyms import SYNONYMS


class SearchTimeout(Exception):
    pass


async def search(db, words):
    terms = [SYNONYMS.get(word, word) for word in words.lower().split()]
    timeout = settings["catalog.search.timeout_ms"] / 1000
    try:
        return await asyncio.wait_for(db.search(terms), timeout)
    except asyncio.TimeoutError:
        raise SearchTimeout(f"search took longer than {int(timeout * 1000)} ms")
`,
  'services/catalog/catalog/settings.py': `settings = {
    "catalog.search.timeout_ms": 2000,
}
`,
  'services/catalog/catalog/stock.py': `async def stock_of(db, sku):
    rows = await db.stock(sku)
    return sum(row["count"] for row in rows)
`,
  'services/catalog/catalog/discounts.py': `def discounted(product):
    rules = product.get("discounts", [])
    if not rules:
        return product["cents"]
    best = max(rules, key=lambda rule: rule["percent"])
    return product["cents"] * (100 - best["percent"]) // 100
`,
  'services/catalog/catalog/synonyms.py': `SYNONYMS = {
    "sneaker": "shoe",
    "trainers": "shoe",
}
`,
  'services/catalog/catalog/attributes.py': `ATTRIBUTES = [
    "colour",
    "size",
]
`,
}
