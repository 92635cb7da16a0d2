// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestUSDC} from "devnet/TestUSDC.sol";
import {TestUSDT} from "devnet/TestUSDT.sol";
import {DepositFactory} from "../src/DepositFactory.sol";
import {DepositForwarder} from "../src/DepositForwarder.sol";
import {Terms} from "../src/Terms.sol";

/// @dev The cheatcodes of forge that these tests use.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 key) external pure returns (address);
    function assertEq(uint256 left, uint256 right, string calldata message) external pure;
    function assertEq(bytes calldata left, bytes calldata right, string calldata message) external pure;
    function assertEq(address left, address right, string calldata message) external pure;
    function assertTrue(bool condition, string calldata message) external pure;
    function assume(bool condition) external pure;
    function chainId(uint256 newChainId) external;
    function deal(address account, uint256 balance) external;
    function envBytes(string calldata name) external view returns (bytes memory);
    function expectRevert(bytes calldata revertData) external;
    function expectRevert() external;
    function getRecordedLogs() external returns (Log[] memory);
    function prank(address sender) external;
    function recordLogs() external;
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function warp(uint256 timestampSeconds) external;
}

/// @dev One deposit of 100 USDC with a tolerance of 1, a factory, and the words to tell its stories with.
abstract contract DepositTest {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    uint128 internal constant DUE = 100e6;
    uint128 internal constant LEAST = 99e6;
    uint256 internal constant BPS = 10_000;

    address internal constant MERCHANT = address(0xA11CE);
    address internal constant PLATFORM = address(0xB0B);
    address internal constant OPERATOR = address(0x0B5);
    address internal constant PAYER = address(0xFACE);
    address internal constant STRANGER = address(0xBAD);

    DepositFactory internal factory;
    TestUSDC internal usdc;
    TestUSDT internal usdt;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        factory = deployFactory();
        usdc = new TestUSDC();
        usdt = new TestUSDT();
    }

    /// @dev The bytes that are shipped, from forge.mjs.
    function deployFactory() internal returns (DepositFactory deployed) {
        bytes memory code = vm.envBytes("DEPOSIT_FACTORY");
        assembly ("memory-safe") {
            deployed := create(0, add(code, 0x20), mload(code))
        }
        vm.assertTrue(address(deployed) != address(0), "the factory is deployed");
    }

    function depositOf(address token) internal view returns (Terms memory) {
        return Terms({
            chainId: block.chainid,
            token: token,
            amount: DUE,
            least: LEAST,
            merchant: MERCHANT,
            platform: PLATFORM,
            feeBps: 150,
            deadline: uint40(block.timestamp + 30 minutes),
            operator: OPERATOR,
            salt: bytes32(uint256(1))
        });
    }

    function usdcDeposit() internal view returns (Terms memory) {
        return depositOf(address(usdc));
    }

    /// @dev USDC arrives at the deposit address.
    function pay(Terms memory terms, uint256 amount) internal returns (address forwarder) {
        forwarder = factory.forwarderOf(terms);
        usdc.mint(forwarder, amount);
    }

    function refund(Terms memory terms, address token, uint256 amount) internal {
        vm.prank(terms.operator);
        factory.refund(terms, token, PAYER, amount);
    }

    function expectNotRefundable(address token, uint256 amount, uint256 refundable) internal {
        vm.expectRevert(abi.encodeWithSelector(DepositForwarder.NotRefundable.selector, token, amount, refundable));
    }

    function expectNotCovered(uint256 balance, uint256 least) internal {
        vm.expectRevert(abi.encodeWithSelector(DepositFactory.NotCovered.selector, balance, least));
    }

    function expectAlreadySettled(address forwarder) internal {
        vm.expectRevert(abi.encodeWithSelector(DepositForwarder.AlreadySettled.selector, forwarder));
    }

    function platformShare(Terms memory terms, uint256 paid) internal pure returns (uint256) {
        return paid * terms.feeBps / BPS;
    }

    function assertUsdc(address account, uint256 expected, string memory whose) internal view {
        vm.assertEq(usdc.balanceOf(account), expected, whose);
    }

    /// @dev The forge habit: a fuzzed number brought between two ends.
    function bound(uint256 value, uint256 min, uint256 max) internal pure returns (uint256) {
        return min + value % (max - min + 1);
    }
}
