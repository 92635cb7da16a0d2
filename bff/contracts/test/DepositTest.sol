// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestUSDC} from "devnet/TestUSDC.sol";
import {TestUSDT} from "devnet/TestUSDT.sol";
import {DepositFactory} from "../src/DepositFactory.sol";
import {DepositForwarder} from "../src/DepositForwarder.sol";
import {Terms} from "../src/Terms.sol";
import {ForgeTest, Vm} from "./ForgeTest.sol";

/// @dev One deposit of 100 USDC with a tolerance of 1, a factory, and the words to tell its stories with.
abstract contract DepositTest is ForgeTest {
    uint128 internal constant DUE = 100e6;
    uint128 internal constant LEAST = 99e6;

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

    function deployFactory() internal returns (DepositFactory) {
        return DepositFactory(deploy("DEPOSIT_FACTORY"));
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
}
